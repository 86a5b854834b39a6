import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tracked } from '../../../machine/children.ts';
import { pinProcess } from '../../../machine/cores.ts';
import type { HoldersOrder, HoldersPlan, HoldersReport } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('holders.ts', import.meta.url));

/** A process of verifiers that remember many tokens. */
export interface Holders extends AsyncDisposable {
  tell(order: HoldersOrder): Promise<HoldersReport>;
}

export async function startHolders(plan: HoldersPlan, cores: string | undefined): Promise<Holders> {
  const child = tracked(fork(PROGRAM, [JSON.stringify(plan)]));
  if (cores !== undefined && child.pid !== undefined) pinProcess(child.pid, cores);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error('a process of verifiers ended');
  });
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);
  return {
    async tell(order) {
      const answered = once(child, 'message');
      child.send(order);
      const [report] = await Promise.race([answered, ended]);
      return report;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
