import { anEvent, apiToken, aRevocation, revoke, signInToken, suspend } from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import { call, ME } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

// security/bearer.test.ts tests the forms of the header, and the refusal of each token on every route.

it('a token outside the header is ignored', async () => {
  await using scene = await startTestServer();
  const { url } = scene;
  const token = await scene.adminToken();
  for (const headers of [
    { cookie: `token=${token}` },
    { 'x-api-key': token },
    { 'proxy-authorization': `Bearer ${token}` },
  ]) {
    expect((await call(url, ME, { headers })).json).toMatchObject({
      type: 'urn:gatehouse:problem:token-required',
    });
  }
});

describe('a bearer token', () => {
  it('that is not accepted gets the same response for every reason', async () => {
    await using scene = await startTestServer();
    const { world, people, get } = scene;
    const token = await scene.adminToken();
    const revoked = await apiToken(world, people.admin);
    await revoke(world, people.admin, revoked.record.id);
    const expired = await apiToken(world, people.admin, { expiry: { in: 5000 } });
    world.clock.advance(5000);
    const ofDisabled = await signInToken(world, people.member);
    await world.users.disable(people.member.id, aRevocation(), anEvent());

    const tokens = [
      revoked.secret,
      expired.secret,
      ofDisabled,
      `${token}x`,
      'v2.public.abc',
      'a'.repeat(5000),
    ];
    const refused = await Promise.all(tokens.map((each) => get(ME, { token: each })));
    await suspend(world, people.account);
    refused.push(await get(ME));

    for (const { status, headers, text } of refused) {
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="gatehouse", error="invalid_token"',
      ]);
      expect(text).toBe(refused[0]?.text);
      expect(headers.get('x-token-expires-at')).toBeNull();
    }
    expect(refused).toHaveLength(7);
  });

  it('with an expiry has it in every response; one without has not', async () => {
    await using scene = await startTestServer();
    const { world, people, get } = scene;
    const { secret } = await apiToken(world, people.admin, { expiry: { in: 90_500 } });
    for (const path of [ME, `/api/v1/orgs/${people.shared.id}`, `/api/v1/orgs/${people.foreign.id}`]) {
      const answer = await get(path, { token: secret });
      expect(answer.headers.get('x-token-expires-at')).toBe('2026-01-01T00:01:30.000Z');
      expect((await get(path)).headers.get('x-token-expires-at')).toBeNull();
    }
  });

  it('is accepted until its expiry and refused from then on', async () => {
    await using scene = await startTestServer();
    const { world, people, get } = scene;
    const { secret: token } = await apiToken(world, people.admin, { expiry: { in: 5000 } });
    world.clock.advance(4999);
    expect((await get(ME, { token })).status).toBe(200);
    world.clock.advance(1);
    expect((await get(ME, { token })).status).toBe(401);
  });
});
