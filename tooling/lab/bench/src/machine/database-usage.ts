import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../stage.ts';
import { parentOf, usageOf } from './process-usage.ts';

export type Database = Awaited<ReturnType<typeof databaseOf>>;

/** The processes of PostgreSQL: the first one, and all that it started. */
export async function databaseOf({ url }: { readonly url: string }) {
  const backend = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? Number.NaN);
  });
  const cpuSeconds = () => usageOf(backend).cpuSeconds;
  return {
    cpuSeconds,
    /** The CPU that it uses in the next seconds, as a share of one core. */
    async shareOver(seconds: number): Promise<number> {
      const [before, begun] = [cpuSeconds(), performance.now()];
      await delay(seconds * 1000);
      return (cpuSeconds() - before) / ((performance.now() - begun) / 1000);
    },
  };
}
