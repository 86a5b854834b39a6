// This file runs in a thread of its own. It uses the synchronous functions, because the asynchronous functions would
// use libuv's threads, which have the priority of the event loop.
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Argon2Parameters } from './argon2.ts';
import { lowerPriority } from './lower-priority.ts';

/** A task for a thread: to hash a password, or to compare a password with a hash. */
export type Task =
  | { readonly password: string; readonly parameters: Argon2Parameters }
  | { readonly password: string; readonly hash: string };

export type Answer = { readonly value: string | boolean } | { readonly fault: unknown };

lowerPriority();
parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(task)));

function answer(task: Task): Answer {
  const { password } = task;
  try {
    return { value: 'hash' in task ? verifySync(task.hash, password) : hashSync(password, task.parameters) };
  } catch (fault) {
    return { fault };
  }
}
