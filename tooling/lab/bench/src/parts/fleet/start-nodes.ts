import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TokenId } from '@gatehouse/domain/tokens';
import { tracked } from '../../machine/children.ts';
import { pinProcess } from '../../machine/cores.ts';
import type { NodesOrder, NodesPlan, NodesReport } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('nodes.ts', import.meta.url));
const NODES_PER_PROCESS = 25;

/** Nodes in few processes. */
export interface Nodes extends AsyncDisposable {
  /**
   * Resolves when the nodes wait for a change of the token; the inner promise has the time at which the slowest heard
   * of it.
   */
  expect(id: TokenId): Promise<{ readonly heard: Promise<number> }>;
  /** From now on every node records a use of each of its tokens once a second. */
  use(tokensOf: (node: number) => readonly TokenId[]): void;
  /** How often a feed was not known to be complete since the last call. */
  losses(): number;
}

/** Starts `count` nodes on the given cores, and waits until all of them listen. */
export async function startNodes(url: string, count: number, cores: string | undefined): Promise<Nodes> {
  const processes: ChildProcess[] = [];
  const waiting = new Map<TokenId, ReturnType<typeof expectation>>();
  let losses = 0;

  function expectation() {
    const [ready, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    return {
      ready,
      heard,
      toPrepare: processes.length,
      toHear: processes.length,
      last: Number.NEGATIVE_INFINITY,
    };
  }

  function take(report: NodesReport): void {
    if ('lost' in report) losses += 1;
    if ('awaiting' in report) {
      const entry = waiting.get(report.awaiting);
      if (entry && --entry.toPrepare === 0) entry.ready.resolve();
    }
    if ('heard' in report) {
      const entry = waiting.get(report.heard);
      if (!entry) return;
      entry.last = Math.max(entry.last, report.at);
      if (--entry.toHear > 0) return;
      waiting.delete(report.heard);
      entry.heard.resolve(entry.last);
    }
  }

  async function start(nodes: number): Promise<void> {
    const plan: NodesPlan = { url, nodes };
    const child = tracked(fork(PROGRAM, [JSON.stringify(plan)]));
    processes.push(child);
    if (cores !== undefined && child.pid !== undefined) pinProcess(child.pid, cores);
    const ended = once(child, 'exit').then(() => {
      throw new Error('a process of nodes ended');
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    child.on('message', take);
  }

  const starts: Promise<void>[] = [];
  for (let left = count; left > 0; left -= NODES_PER_PROCESS)
    starts.push(start(Math.min(left, NODES_PER_PROCESS)));
  await Promise.all(starts);
  const send = (child: ChildProcess, order: NodesOrder) => child.send(order);
  return {
    async expect(id) {
      const entry = expectation();
      waiting.set(id, entry);
      for (const child of processes) send(child, { await: id });
      await entry.ready.promise;
      return { heard: entry.heard.promise };
    },
    use(tokensOf) {
      for (const [index, child] of processes.entries()) {
        const first = index * NODES_PER_PROCESS;
        const use = Array.from({ length: NODES_PER_PROCESS }, (_, node) => tokensOf(first + node));
        send(child, { use });
      }
    },
    losses() {
      const since = losses;
      losses = 0;
      return since;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        processes.map(async (child) => {
          if (child.exitCode !== null || !child.connected) return;
          const exited = once(child, 'exit');
          child.disconnect();
          await exited;
        }),
      );
    },
  };
}
