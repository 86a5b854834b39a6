import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../stage/node.ts';
import type { ClockFault } from './own-clocks.ts';
import type { Report, ServiceOrder } from './service-protocol.ts';

const PROGRAM = fileURLToPath(new URL('service-program.ts', import.meta.url));

/** A service with the verifier, in a process of its own. */
export interface Service extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Sends requests with this token from now on. */
  watch(token: string, scope?: string): void;
  /** Sends no more requests with this token. */
  forget(token: string): void;
  /** Returns what was decided about a token so far. */
  report(token: string): Promise<Report>;
  /** Makes the clocks of the process wrong. */
  failClocks(clocks: ClockFault): void;
}

/** @param sabotage the settings of `sabotage`, for a twin */
export async function startService(
  url: string,
  credential: string,
  sabotage: Settings = {},
): Promise<Service> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [PROGRAM, url, credential], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...sabotage },
    // The process sees the channel close if this one is killed, and exits.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (report: Report) => void>();
  let serial = 0;
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: Report | 'ready') => {
    if (message === 'ready') return ready.resolve();
    waiting.get(message.serial)?.(message);
    waiting.delete(message.serial);
  });
  const send = (order: ServiceOrder) => void child.send(order);
  void ended.then(() => ready.reject(new Error('the process of the service ended')));
  await ready.promise;
  return {
    process: child,
    watch: (token, scope = 'orders:read') => send({ do: 'watch', token, scope }),
    forget: (token) => send({ do: 'forget', token }),
    failClocks: (clocks) => send({ do: 'fail', clocks }),
    report(token) {
      serial += 1;
      const { promise, resolve } = Promise.withResolvers<Report>();
      waiting.set(serial, resolve);
      send({ do: 'report', token, serial });
      return promise;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
