import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { apiToken, populate, signInToken } from '../../testing/population.ts';
import { serveWorld } from '../../testing/serve-world.ts';

describe('GET /api/v1/me.json', () => {
  it('says who the token acts for, and what it is', async () => {
    await using served = await serveWorld();
    const { admin, account } = await populate(served.world);
    const { secret, record } = await apiToken(served.world, admin, { scopes: ['orgs:read', 'me:read'] });
    served.world.clock.advance(1234);
    const { status, headers, json } = await call(served.url, '/api/v1/me.json', { token: secret });
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(json).toEqual({
      id: admin.id,
      email: 'ada@acme.example',
      name: 'Ada',
      role: 'admin',
      account: { id: account.id, name: 'Acme' },
      token: {
        id: record.id,
        name: record.name,
        kind: 'api',
        scopes: ['orgs:read', 'me:read'],
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: null,
        last_used_at: '2026-01-01T00:00:01.234Z',
      },
    });
  });

  it('says when a sign-in ends', async () => {
    await using served = await serveWorld();
    const { member } = await populate(served.world);
    const token = await signInToken(served.world, member);
    const { json } = await call(served.url, '/api/v1/me.json', { token });
    expect(json).toMatchObject({
      role: 'member',
      token: { kind: 'sign-in', scopes: ['*'], expires_at: '2026-01-01T00:01:00.000Z' },
    });
  });
});
