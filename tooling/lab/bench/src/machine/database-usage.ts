import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../stage.ts';
import { parentOf, usageOf } from './process-usage.ts';

export type Database = Awaited<ReturnType<typeof databaseOf>>;

/** Returns the id of PostgreSQL's first process. It started all others. */
export function databaseProcess({ url }: { readonly url: string }): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? Number.NaN);
  });
}

/** The processes of PostgreSQL: the first one, and all that it started. */
export async function databaseOf(database: { readonly url: string }) {
  const first = await databaseProcess(database);
  const cpuSeconds = () => usageOf(first).cpuSeconds;
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
