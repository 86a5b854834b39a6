import { AsyncLocalStorage } from 'node:async_hooks';
import { clientNetwork, type OnBehalf } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';

/** The keys of those who take turns: users, the ended tokens of a user (separately), and networks of unknown clients. */
export type AskerKey = UserId | `ended ${number}` | `network ${string}`;

/** The user or client for whom statements are made, and their lane of the pool. */
export type Asker =
  | { readonly lane: 'api' | 'pages'; readonly key: AskerKey }
  | { readonly lane: 'unknown'; readonly address: string };

const askers = new AsyncLocalStorage<Asker | undefined>();

/**
 * The asker of a statement that is made now. It is no argument, because repositories and extensions make statements on
 * their own. Undefined for work that belongs to no request, and for sign-ins, which have a queue of their own.
 */
export const currentAsker = (): Asker | undefined => askers.getStore();

/** Returns the key whose turn it is. An unknown client takes the turn of its network. */
export function keyOf(asker: Asker): AskerKey {
  return asker.lane === 'unknown' ? `network ${clientNetwork(asker.address)}` : asker.key;
}

/** The user for whom statements are made; undefined if there is none. */
export function userOf(asker: Asker | undefined): UserId | undefined {
  return asker && asker.lane !== 'unknown' && typeof asker.key === 'number' ? asker.key : undefined;
}

/** Makes statements for requests: for a user, or for a client whose user is not known yet. */
export const onBehalf: OnBehalf = {
  ofUser: (user, work) => askers.run({ lane: 'api', key: user }, work),
  ofClient: (address, work) => askers.run({ lane: 'unknown', address }, work),
};

/** Makes the statements of a page for its user. */
export function onPageOf<T>(user: UserId, work: () => T): T {
  return askers.run({ lane: 'pages', key: user }, work);
}

/** Makes statements in the turn that all ended tokens of the current user share, and at once if there is no user. */
export function ofEndedTokens<T>(work: () => T): T {
  const user = userOf(currentAsker());
  return user === undefined ? work() : askers.run({ lane: 'api', key: `ended ${user}` }, work);
}

/** Makes statements that several requests wait for, or that already have their place. */
export function onBehalfOfNone<T>(work: () => T): T {
  return askers.run(undefined, work);
}
