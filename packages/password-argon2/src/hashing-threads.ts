import { Worker } from 'node:worker_threads';
import type { Argon2 } from './argon2.ts';
import type { Answer, Task } from './hashing-thread.ts';

const THREAD = new URL('hashing-thread.ts', import.meta.url);

/**
 * Computes hashes in threads of low priority, so that the event loop and the database go first. Starts a thread when all others
 * are busy, and keeps it for later hashes. The caller bounds how many hashes run at once, and so the number of threads. Idle
 * threads do not keep the process alive.
 */
export function createHashingThreads(file = THREAD): Argon2 {
  const idle: Worker[] = [];

  function start(): Worker {
    // The process's own flags may concern its entry file.
    const thread = new Worker(file, { execArgv: [] });
    thread.unref();
    // The caller of a busy thread handles its exit itself. Here, an idle thread that exits is removed from the list.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    return thread;
  }

  async function compute(task: Task): Promise<string | boolean> {
    // The last busy thread first, because its memory is still cached.
    const thread = idle.pop() ?? start();
    const answer = await ask(thread, task);
    // A thread that has exited has no id.
    if (thread.threadId !== -1) idle.push(thread);
    if ('fault' in answer) throw answer.fault;
    return answer.value;
  }

  return {
    hash: async (password, parameters) => `${await compute({ password, parameters })}`,
    verify: async (hash, password) => (await compute({ password, hash })) === true,
  };
}

/** Rejects if the thread exits instead of answering. Keeps the process alive until then. */
function ask(thread: Worker, task: Task): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const fail = (status: number) => reject(new Error(`a hashing thread ended with status ${status}`));
  thread.on('message', resolve).on('error', reject).on('exit', fail).ref();
  thread.postMessage(task);
  return promise.finally(() => thread.off('message', resolve).off('error', reject).off('exit', fail).unref());
}
