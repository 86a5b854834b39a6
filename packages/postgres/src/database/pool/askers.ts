import { AsyncLocalStorage } from 'node:async_hooks';
import { clientNetwork, type OnBehalf } from '@gatehouse/domain';
import type { ServiceName } from '@gatehouse/domain/services';
import type { UserId } from '@gatehouse/domain/users';

/**
 * Names a queue in which statements wait for a connection: the queue of a user, of all ended tokens of a user, of a
 * service, or of the network of an unknown client.
 */
export type AskerKey = UserId | `ended ${number}` | `service ${ServiceName}` | `network ${string}`;

/**
 * The user or the unknown client for whom statements are made. `lane` is the share of the connection pool in whose
 * queue these statements wait.
 */
export type Asker =
  | { readonly lane: 'api' | 'pages' | 'refreshes'; readonly key: AskerKey }
  | { readonly lane: 'unknown'; readonly address: string };

const askers = new AsyncLocalStorage<Asker | undefined>();

/**
 * Returns the user or client for whom the current code makes statements. The value follows the request
 * (`AsyncLocalStorage`), because neither repositories nor extensions pass it on. Undefined for work that belongs to no
 * request, and for sign-ins, which have a queue of their own.
 */
export const currentAsker = (): Asker | undefined => askers.getStore();

/**
 * Returns the key of the queue in which the statements of a user or client wait. For an unknown client, the key names
 * the client's network.
 */
export function keyOf(asker: Asker): AskerKey {
  return asker.lane === 'unknown' ? `network ${clientNetwork(asker.address)}` : asker.key;
}

/** Returns the user for whom statements are made; undefined if they are not made for a user. */
export function userOf(asker: Asker | undefined): UserId | undefined {
  return asker && asker.lane !== 'unknown' && typeof asker.key === 'number' ? asker.key : undefined;
}

/** Runs work whose statements are made for a user, or for a client whose user is not known yet. */
export const onBehalf: OnBehalf = {
  ofUser: (user, work) => askers.run({ lane: 'api', key: user }, work),
  ofService: (service, work) => askers.run({ lane: 'api', key: `service ${service}` }, work),
  ofRefresh: (service, work) => askers.run({ lane: 'refreshes', key: `service ${service}` }, work),
  ofClient: (address, work) => askers.run({ lane: 'unknown', address }, work),
};

/** Runs the work of a web page, whose statements are made for the user of the page. */
export function onPageOf<T>(user: UserId, work: () => T): T {
  return askers.run({ lane: 'pages', key: user }, work);
}

/**
 * Runs work on ended tokens. Its statements wait in a queue that all ended tokens of the current user share. If there
 * is no current user, the queue stays the same.
 */
export function ofEndedTokens<T>(work: () => T): T {
  const user = userOf(currentAsker());
  return user === undefined ? work() : askers.run({ lane: 'api', key: `ended ${user}` }, work);
}

/**
 * Runs work whose statements wait in no queue, because several requests share them, or because a connection is already
 * reserved for them.
 */
export function onBehalfOfNone<T>(work: () => T): T {
  return askers.run(undefined, work);
}
