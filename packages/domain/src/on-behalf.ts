import type { UserId } from './users/user.ts';

/**
 * Says for whom work is done. Users, and clients whose user is unknown, take turns at scarce resources such as connections to
 * the database. The user or client decides when the work runs, and never what the work returns.
 */
export interface OnBehalf {
  ofUser<T>(user: UserId, work: () => T): T;
  /** @param address the client's IP address */
  ofClient<T>(address: string, work: () => T): T;
}

/** Runs everything at once. For commands and tests, where no user waits for another. */
export const WITHOUT_TURNS: OnBehalf = {
  ofUser: (_, work) => work(),
  ofClient: (_, work) => work(),
};
