import { apiToken, signInToken } from '@gatehouse/domain/testing';
import { expect, it } from 'vitest';
import { ME } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

it('says who the token acts for, and what it is', async () => {
  await using scene = await startTestServer();
  const { admin, account } = scene.people;
  const { secret, record } = await apiToken(scene.world, admin, { scopes: ['orgs:read', 'me:read'] });
  scene.world.clock.advance(1234);
  const { status, headers, json } = await scene.get(ME, { token: secret });
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  expect(json).toEqual({
    id: admin.id,
    kind: 'person',
    email: 'ada@acme.example',
    name: 'Ada',
    role: 'admin',
    account: { id: account.id, name: 'Acme' },
    token: {
      id: record.id,
      name: record.name,
      kind: 'api',
      scopes: ['me:read', 'orgs:read'],
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
      last_used_at: '2026-01-01T00:00:01.234Z',
    },
  });
});

it('says when a sign-in ends', async () => {
  await using scene = await startTestServer();
  const token = await signInToken(scene.world, scene.people.member);
  expect((await scene.get(ME, { token })).json).toMatchObject({
    role: 'member',
    token: { kind: 'sign-in', scopes: ['*'], expires_at: '2026-01-01T00:01:00.000Z' },
  });
});
