import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tracked } from '../../machine/children.ts';
import { pinProcess } from '../../machine/cores.ts';
import type { Directory } from '../../population/directory.ts';
import type { WritersOrder, WritersReport } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('writers.ts', import.meta.url));

/** Starts a process of writers, on the given cores. */
export function startWriters({ stage, url }: Directory, cores: string | undefined) {
  const settings = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  const child = tracked(fork(PROGRAM, { env: { ...process.env, ...settings } }));
  if (cores !== undefined && child.pid !== undefined) pinProcess(child.pid, cores);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error('a process of writers ended');
  });
  ended.catch(() => undefined);
  return {
    async write(order: WritersOrder): Promise<WritersReport> {
      const reported = once(child, 'message');
      child.send(order);
      const [report] = await Promise.race([reported, ended]);
      return report;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
