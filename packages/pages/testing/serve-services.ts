import type { NarrowScope } from '@gatehouse/domain/access';
import {
  addServiceScope,
  createService,
  type OpenTo,
  parseServiceName,
  removeServiceScope,
  type ServiceName,
} from '@gatehouse/domain/services';
import { givenSuccessor, inPerson, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { issueToken, type Token } from '@gatehouse/domain/tokens';
import { expect } from 'vitest';
import { type PageScene, servePages } from './serve-pages.ts';
import { SHIFT_NOTES } from './shift-notes.ts';

interface ServiceParts {
  /** The words for the scopes, by the names of the scopes. */
  readonly scopes?: Readonly<Record<NarrowScope, { readonly label: string; readonly allows: string }>>;
  readonly description?: string | null;
  /** Default: all accounts. */
  readonly openTo?: OpenTo;
}

/** The words of the scope `orders:read` in `serveServices`. */
export const READ_ORDERS = { label: 'Read orders', allows: 'Orders with their positions.' };

/** Serves the pages with the service `orders`, which has the scope `orders:read` and is open to all accounts. */
export const serveServices = (replaced: Omit<Parameters<typeof servePages>[0] & object, 'given'> = {}) =>
  servePages({ resources: [SHIFT_NOTES], ...replaced, given: givenOrders });

async function givenOrders({ world, people }: PageScene) {
  async function service(text: string, parts: ServiceParts = {}): Promise<ServiceName> {
    const { scopes = {}, description = null, openTo = 'all' } = parts;
    const { name } = unwrap(await createService(world)(OPERATOR, { name: text, description, openTo }));
    for (const [scope, words] of Object.entries(scopes))
      unwrap(await addServiceScope(world)(OPERATOR, { scope, ...words }));
    return name;
  }
  await service('orders', { description: 'Takes orders.', scopes: { 'orders:read': READ_ORDERS } });
  return {
    service,
    remove: async (scope: NarrowScope) => unwrap(await removeServiceScope(world)(OPERATOR, scope)),
    /** Creates a token of the admin. */
    async issue(name: string, scopes: readonly string[]): Promise<Token> {
      const issue = { name, format: 'paseto', scopes, expiry: 'never' } as const;
      return unwrap(await issueToken(world)(inPerson(people.admin), issue)).record;
    },
    /** Creates the successor of the token. */
    rotate: (token: Token) => givenSuccessor(world, token),
    /** Records a use of the token at a service. */
    async usedAt(name: string, { id }: Token, from?: string) {
      const service = parseServiceName(name) ?? expect.fail(name);
      world.usage.used(id, world.clock.now(), undefined, { name: service, from });
      await world.usage.flush();
    },
  };
}
