import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { tracked } from '../../machine/children.ts';
import { pinProcess } from '../../machine/cores.ts';

/** A program in a process of its own, which answers orders by reports. */
export interface Program<Order, Report> extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Rejects when the program has ended. */
  readonly ended: Promise<never>;
  /** Sends an order and resolves with the next report. */
  tell(order: Order): Promise<Report>;
}

/** Starts a program of this benchmark with its plan as argument. */
export function startProgram<Order extends Serializable, Report>(
  path: string,
  plan: object,
  cores: string | undefined,
): Program<Order, Report> {
  const child: ChildProcess = tracked(fork(path, [JSON.stringify(plan)]));
  if (cores !== undefined && child.pid !== undefined) pinProcess(child.pid, cores);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${path} ended`);
  });
  ended.catch(() => undefined);
  return {
    child,
    ended,
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
