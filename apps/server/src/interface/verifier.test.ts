import { unwrap } from '@gatehouse/domain/testing';
import { createVerifier } from '@gatehouse/verifier';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOrders } from '../../testing/create-orders.ts';
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
      await verifier.close();
    }
  },
);

test('a remembered token is decided without a question until it is revoked, and others are still remembered then', async () => {
  await using server = await startTestServer({ database: 'postgres' });
  const { useCases } = server.container.services;
  const { credential, admin, token, issue } = await createOrders(useCases, 'paseto');
  const other = await issue('Reports');
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const questions = () => fetched.mock.calls.filter(([url]) => `${url}`.endsWith('/introspect')).length;
  const verifier = createVerifier({ url: server.url, credential });
  const decided = (each: typeof token) => verifier.verifyNow(each.secret, READ)?.ok;
  try {
    await expect
      .poll(async () => {
        for (const each of [token, other]) await verifier.verify(each.secret, READ);
        return [decided(token), decided(other)];
      })
      .toEqual([true, true]);
    const asked = questions();
    unwrap(await useCases.revokeToken(admin, { id: token.record.id, reason: null }));
    // The change alone takes the token out of memory: the knowledge is not too old, because the other token is
    // remembered.
    await expect.poll(() => [decided(token), decided(other)], { interval: 1 }).toEqual([undefined, true]);
    expect(questions()).toBe(asked);
    expect(await verifier.verify(token.secret, READ)).toMatchObject({ status: 401 });
  } finally {
    await verifier.close();
  }
});

test('Gatehouse shows the uses and the refusals that a service decided from memory', async () => {
  await using server = await startTestServer({ database: 'postgres' });
  const { useCases, repositories } = server.container.services;
  const { credential, token } = await createOrders(useCases, 'paseto');
  const verifier = createVerifier({ url: server.url, credential });
  const usage = () => repositories.tokens.findUsage(token.record.id);
  const useFromMemory = () => verifier.verifyNow(token.secret, { ...READ, clientAddress: '203.0.113.7' })?.ok;
  await expect
    .poll(async () => {
      await verifier.verify(token.secret, READ);
      return useFromMemory();
    })
    .toBe(true);
  await expect
    .poll(async () => {
      // A use in the same millisecond as the last question would not replace it.
      useFromMemory();
      return (await usage()).usedAt;
    })
    .toMatchObject([{ service: 'orders', from: '203.0.113.7', isReported: true }]);
  verifier.verifyNow(token.secret, { scope: 'orders:write' });
  await verifier.close();
  expect((await usage()).lastRefusal).toMatchObject({ reason: 'insufficient_scope', reportedBy: 'orders' });
});

test('a service with the verifier refuses a token outside of its networks within a second after they are set', async () => {
  await using server = await startTestServer({ database: 'postgres' });
  const { useCases } = server.container.services;
  const { credential, admin, token } = await createOrders(useCases, 'paseto');
  const { id } = token.record;
  const limit = async (mode: 'enforced' | 'report-only') => {
    const networks = { mode, list: ['203.0.113.0/24'] };
    unwrap(await useCases.setTokenNetworks(admin, { id, networks }));
  };
  const verifier = createVerifier({ url: server.url, credential });
  const from = (clientAddress?: string) => verifier.verify(token.secret, { ...READ, clientAddress });
  try {
    await expect.poll(async () => (await from()).ok && verifier.state().tokens).toBe(1);
    await limit('enforced');
    await expect.poll(() => from('198.51.100.7')).toMatchObject({ status: 403, isOfNetwork: true });
    expect(await from('203.0.113.7')).toMatchObject({ ok: true });
    expect(await from('::ffff:203.0.113.7')).toMatchObject({ ok: true });
    expect(await from()).toMatchObject({ status: 403, isOfNetwork: true });
    await limit('report-only');
    await expect.poll(async () => (await from('198.51.100.7')).ok).toBe(true);
  } finally {
    await verifier.close();
  }
});
