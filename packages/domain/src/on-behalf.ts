import type { ServiceName } from './services/service.ts';
import type { UserId } from './users/user.ts';

/**
 * Runs work, and says for which user or client it is done. Users take turns in the use of scarce resources, such as
 * connections to the database, so that one user cannot delay the others. A client whose user is unknown counts as a
 * user. Only the order of the work depends on the user or client, not its result.
 */
export interface OnBehalf {
  ofUser<T>(user: UserId, work: () => T): T;
  /** A service takes turns like one user, however many tokens it asks about. */
  ofService<T>(service: ServiceName, work: () => T): T;
  /** A service refreshes what it remembers. No request waits for this, so it delays no question of any service. */
  ofRefresh<T>(service: ServiceName, work: () => T): T;
  /** @param address the client's IP address */
  ofClient<T>(address: string, work: () => T): T;
}

/** Runs all work immediately. Used in commands and tests, where no user waits for another user. */
export const WITHOUT_TURNS: OnBehalf = {
  ofUser: (_, work) => work(),
  ofService: (_, work) => work(),
  ofRefresh: (_, work) => work(),
  ofClient: (_, work) => work(),
};
