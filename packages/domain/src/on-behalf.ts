import type { UserId } from './users/user.ts';

/**
 * Tells for which user or client the work is done. Scarce resources, such as connections to the database, are given to
 * users in turn, so that one user cannot delay the others. A client whose user is unknown counts as a user. The order
 * of the work depends on the user or client, but the result of the work does not.
 */
export interface OnBehalf {
  ofUser<T>(user: UserId, work: () => T): T;
  /** @param address the client's IP address */
  ofClient<T>(address: string, work: () => T): T;
}

/** Runs all work immediately. Used in commands and tests, where no user waits for another user. */
export const WITHOUT_TURNS: OnBehalf = {
  ofUser: (_, work) => work(),
  ofClient: (_, work) => work(),
};
