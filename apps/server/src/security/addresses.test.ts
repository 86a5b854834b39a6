import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { call, ME, signInWith, tokenIn } from '../../testing/client.ts';
import type { DemoServer } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const idIn = ({ json }: { readonly json: unknown }) =>
  parseTokenId((json as { token: { id: string } }).token.id) as TokenId;

/** Uses a token, with a header that names another client, and returns its id. */
async function use({ url, demo }: Pick<DemoServer, 'url' | 'demo'>, forwarded: string) {
  const token = tokenIn(await signInWith(url, demo.admin));
  return idIn(await call(url, ME, { token, headers: { 'x-forwarded-for': forwarded } }));
}

async function addressesOf({ container }: Pick<DemoServer, 'container'>, id: TokenId) {
  const { usage, repositories } = container.services;
  await usage.flush();
  const { lastUsedAt, lastUsedFrom, usedFrom } = await repositories.tokens.findUsage(id);
  return { isUsed: lastUsedAt !== null, lastUsedFrom, usedFrom: usedFrom.map(({ address }) => address) };
}

describe('the addresses from which a token is used', () => {
  test('are those of the peers, whatever a peer that is not trusted says', async () => {
    await using served = await startTestServer({ database: 'postgres' });
    const id = await use(served, '203.0.113.7');
    const addresses = { isUsed: true, lastUsedFrom: '127.0.0.1', usedFrom: ['127.0.0.1'] };
    expect(await addressesOf(served, id)).toEqual(addresses);
  });

  test('are those that a trusted proxy names, IPv6 by its network', async () => {
    await using served = await startTestServer({
      database: 'postgres',
      settings: { TRUST_PROXY: '127.0.0.1' },
    });
    const id = await use(served, '2001:db8::7');
    const addresses = { isUsed: true, lastUsedFrom: '2001:db8::/64', usedFrom: ['2001:db8::/64'] };
    expect(await addressesOf(served, id)).toEqual(addresses);
  });

  test('are not recorded where they are switched off, and the server deletes those that others recorded', async () => {
    await using served = await startTestServer({ database: 'postgres' });
    const before = await use(served, '');
    expect((await addressesOf(served, before)).usedFrom).toHaveLength(1);
    const settings = { USAGE_ADDRESSES: 'off' };
    await using off = await startTestServer({ database: served.database, settings });
    const after = await use({ ...off, demo: served.demo }, '');
    const none = { isUsed: true, lastUsedFrom: null, usedFrom: [] };
    expect(await addressesOf(off, after)).toEqual(none);
    await off.container.services.forgetAddresses('all');
    expect(await addressesOf(off, before)).toEqual(none);
  });
});
