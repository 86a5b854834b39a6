import { Worker } from 'node:worker_threads';
import type { Argon2 } from './argon2.ts';
import type { Answer, Task } from './hashing-thread.ts';

const THREAD = new URL('hashing-thread.ts', import.meta.url);

/**
 * Computes hashes in threads of low priority, so that the event loop and the database get CPU time first. If all
 * threads are busy, starts another thread, and keeps it for later hashes. The caller limits the number of concurrent
 * hashes, and thereby the number of threads. Idle threads do not keep the process alive.
 */
export function createHashingThreads(file = THREAD): Argon2 {
  const idle: Worker[] = [];

  function start(): Worker {
    // The thread does not get the flags of the process, because some flags are for the entry file of the process only.
    const thread = new Worker(file, { execArgv: [] });
    thread.unref();
    // If a busy thread exits, `ask` handles the exit. If an idle thread exits, this handler removes the thread from the
    // list.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    return thread;
  }

  async function compute(task: Task): Promise<string | boolean> {
    // Uses the thread that was busy last, because its memory is still in the CPU's cache.
    const thread = idle.pop() ?? start();
    const answer = await ask(thread, task);
    // After its exit, a thread has the id -1.
    if (thread.threadId !== -1) idle.push(thread);
    if ('fault' in answer) throw answer.fault;
    return answer.value;
  }

  return {
    hash: async (password, parameters) => `${await compute({ password, parameters })}`,
    verify: async (hash, password) => (await compute({ password, hash })) === true,
  };
}

/**
 * Sends a task to a thread, and returns the answer. Rejects if the thread exits before it answers. Keeps the process
 * alive meanwhile.
 */
function ask(thread: Worker, task: Task): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const fail = (status: number) => reject(new Error(`a hashing thread ended with status ${status}`));
  thread.on('message', resolve).on('error', reject).on('exit', fail).ref();
  thread.postMessage(task);
  return promise.finally(() => thread.off('message', resolve).off('error', reject).off('exit', fail).unref());
}
