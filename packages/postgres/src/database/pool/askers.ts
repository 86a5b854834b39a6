import { AsyncLocalStorage } from 'node:async_hooks';
import { clientNetwork, type OnBehalf } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';

/** A key for which statements wait in turn: a user, all ended tokens of a user, or the network of an unknown client. */
export type AskerKey = UserId | `ended ${number}` | `network ${string}`;

/**
 * The user or client for whom statements are made, and the lane of the pool in which these statements wait for a
 * connection.
 */
export type Asker =
  | { readonly lane: 'api' | 'pages'; readonly key: AskerKey }
  | { readonly lane: 'unknown'; readonly address: string };

const askers = new AsyncLocalStorage<Asker | undefined>();

/**
 * Returns the asker of a statement that is made now. It follows the request (`AsyncLocalStorage`), because neither
 * repositories nor extensions pass it on. Undefined for work that belongs to no request, and for sign-ins, which have a
 * queue of their own.
 */
export const currentAsker = (): Asker | undefined => askers.getStore();

/** Returns the key under which the asker waits in turn. For an unknown client it is the client's network. */
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

/** Makes statements under the key that all ended tokens of the current user share, or under no key if there is no user. */
export function ofEndedTokens<T>(work: () => T): T {
  const user = userOf(currentAsker());
  return user === undefined ? work() : askers.run({ lane: 'api', key: `ended ${user}` }, work);
}

/** Makes statements outside of all lanes: several requests share them, or they already have a connection's place. */
export function onBehalfOfNone<T>(work: () => T): T {
  return askers.run(undefined, work);
}
