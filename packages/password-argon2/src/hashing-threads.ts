import { Worker } from 'node:worker_threads';
import type { Argon2 } from './argon2.ts';
import type { Answer, Task } from './hashing-thread.ts';

const THREAD = new URL('hashing-thread.ts', import.meta.url);

/**
 * Computes in threads of low priority, so that the event loop and the database go first. A thread is started
 * when all others are busy, and stays: whoever calls bounds their number. An idle one keeps no process alive.
 */
export function createHashingThreads(file = THREAD): Argon2 {
  const idle: Worker[] = [];

  function start(): Worker {
    // The process's own flags may be about its entry.
    const thread = new Worker(file, { execArgv: [] });
    thread.unref();
    // Whoever waits for it hears of its end as well; an idle one is just no longer there.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    return thread;
  }

  async function compute(task: Task): Promise<string | boolean> {
    // The one that was busy last: its memory is still at hand.
    const thread = idle.pop() ?? start();
    const answer = await ask(thread, task);
    idle.push(thread);
    if ('fault' in answer) throw answer.fault;
    return answer.value;
  }

  return {
    hash: async (password, parameters) => `${await compute({ password, parameters })}`,
    verify: async (hash, password) => (await compute({ password, hash })) === true,
  };
}

/** Rejects where the thread ends instead of answering. Until then it keeps the process alive. */
function ask(thread: Worker, task: Task): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const fail = (status: number) => reject(new Error(`a hashing thread ended with status ${status}`));
  thread.on('message', resolve).on('error', reject).on('exit', fail).ref();
  thread.postMessage(task);
  return promise.finally(() => thread.off('message', resolve).off('error', reject).off('exit', fail).unref());
}
