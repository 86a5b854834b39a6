import { unwrap } from '@gatehouse/domain/testing';
import type { UseCases } from '@gatehouse/installation';
import { vi } from 'vitest';
import { OPERATOR } from './postgres-server.ts';

/** Creates the service `orders` with two scopes and a credential, and a token with one of the scopes. */
export async function createOrders(useCases: UseCases, format: 'paseto' | 'jwt') {
  const created = await useCases.createService(OPERATOR, {
    name: 'orders',
    description: null,
    openTo: 'all',
  });
  const { name: service } = unwrap(created);
  for (const word of ['read', 'write']) {
    const scope = { scope: `orders:${word}`, label: `${word} orders`, allows: `May ${word} orders.` };
    unwrap(await useCases.addServiceScope(OPERATOR, scope));
  }
  const made = await useCases.createServiceCredential(OPERATOR, {
    service,
    expiry: 'never',
  });
  const admin = unwrap(await useCases.actAs('ada@acme.example', OPERATOR));
  const issue = async (name: string, scopes: readonly string[] = ['orders:read']) =>
    unwrap(await useCases.issueToken(admin, { format, scopes, expiry: 'never', name }));
  // The server hears of a new scope from the database.
  await vi.waitFor(async () => {
    unwrap(unwrap(await useCases.listScopeChoices(admin)).parse(['orders:read', 'orders:write']));
  });
  return { credential: unwrap(made).secret, admin, issue, token: await issue('Orders') };
}
