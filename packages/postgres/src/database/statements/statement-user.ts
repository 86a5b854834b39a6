import { AsyncLocalStorage } from 'node:async_hooks';
import type { UserId } from '@gatehouse/domain/users';

const users = new AsyncLocalStorage<UserId>();

/**
 * Runs work for a request of a user: where its statements wait for a place, users take turns. Extensions make statements as
 * they like, so no argument of theirs could tell the user.
 */
export function onBehalfOf<T>(user: UserId, work: () => T): T {
  return users.run(user, work);
}

/** The user for whom a statement is made; undefined outside of `onBehalfOf`. */
export const userOfStatement = (): UserId | undefined => users.getStore();
