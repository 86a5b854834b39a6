import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Cut, MemberRelays, NetworkTask } from './network-thread.ts';

/** The network between the members, etcd and the checks of haproxy. Clients of a member do not use it. */
export interface Network extends AsyncDisposable {
  readonly relays: readonly MemberRelays[];
  /** Cuts a member off from all others, or heals its network. No connection is closed by that. */
  cut(member: number, isCut: boolean): void;
}

export async function openNetwork(task: NetworkTask): Promise<Network> {
  const thread = new Worker(new URL('network-thread.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
  });
  const [relays] = await once(thread, 'message');
  return {
    relays,
    cut(member, isCut) {
      const message: Cut = { member, isCut };
      thread.postMessage(message);
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}
