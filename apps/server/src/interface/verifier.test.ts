import { unwrap } from '@gatehouse/domain/testing';
import type { UseCases } from '@gatehouse/installation';
import { createVerifier } from '@gatehouse/verifier';
import { expect, test } from 'vitest';
import { OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const READ = { scope: 'orders:read' };

test.each(['paseto', 'jwt'] as const)(
  'a service with the verifier accepts a token in the format %s for its scopes, until the token is revoked',
  async (format) => {
    await using server = await startTestServer({ database: 'postgres' });
    const { credential, admin, token } = await createOrders(server.container.services.useCases, format);
    const verifier = createVerifier({ url: server.url, credential });
    try {
      expect(await verifier.verify(token.secret, READ)).toMatchObject({
        ok: true,
        caller: { role: 'admin', token: token.record.id, scopes: ['orders:read'] },
      });
      expect(await verifier.verify(token.secret, { scope: 'orders:write' })).toMatchObject({ status: 403 });
      const { useCases } = server.container.services;
      unwrap(await useCases.revokeToken(admin, { id: token.record.id, reason: null }));
      await expect.poll(() => verifier.verify(token.secret, READ)).toMatchObject({ status: 401 });
    } finally {
      verifier.close();
    }
  },
);

/** Creates the service `orders` with two scopes and a credential, and a token with one of the scopes. */
async function createOrders(useCases: UseCases, format: 'paseto' | 'jwt') {
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
  const asked = { name: 'Orders', format, scopes: ['orders:read'], expiry: 'never' } as const;
  return { credential: unwrap(made).secret, admin, token: unwrap(await useCases.issueToken(admin, asked)) };
}
