import { anEvent, aRevocation } from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import { call } from '../testing/client.ts';
import { apiToken, populate, revoke, signInToken, suspend } from '../testing/population.ts';
import { openRaw } from '../testing/raw-http.ts';
import { type ServedWorld, serveWorld } from '../testing/serve-world.ts';

const ME = '/api/v1/me.json';
const CHALLENGE = 'Bearer realm="gatehouse"';
const TOKEN_REQUIRED = {
  type: 'urn:gatehouse:problem:token-required',
  title: 'A bearer token is required.',
  status: 401,
};

async function serveToken() {
  const served = await serveWorld();
  const people = await populate(served.world);
  const { secret: token } = await apiToken(served.world, people.admin);
  return { ...served, served, people, token, ask: authorizedWith(served) };
}

/** Asks with the whole value of the header. */
function authorizedWith({ url }: ServedWorld) {
  return (authorization?: string) =>
    call(url, ME, { ...(authorization !== undefined && { headers: { authorization } }) });
}

describe('without a bearer token', () => {
  it.each([
    ['no header at all', undefined],
    ['Basic credentials', 'Basic YWRhOnNlY3JldA=='],
    ['a scheme that begins like ours', 'BearerToken abc'],
    ['a scheme of no name', 'abc'],
  ])('%s is answered with a challenge that names no error', async (_, authorization) => {
    await using scene = await serveToken();
    const { ask } = scene;
    const { status, headers, json } = await ask(authorization);
    expect([status, headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
    expect(json).toEqual(TOKEN_REQUIRED);
  });

  it('a token outside the header is ignored', async () => {
    await using scene = await serveToken();
    const { served, token } = scene;
    for (const headers of [
      { cookie: `token=${token}` },
      { 'x-api-key': token },
      { 'proxy-authorization': `Bearer ${token}` },
    ]) {
      expect((await call(served.url, ME, { headers })).json).toEqual(TOKEN_REQUIRED);
    }
    expect((await call(served.url, `${ME}?access_token=${token}`)).json).toEqual(TOKEN_REQUIRED);
  });
});

describe('a bearer token', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is taken with the scheme written %s', async (scheme) => {
    await using scene = await serveToken();
    const { ask, token } = scene;
    expect((await ask(`${scheme} ${token}`)).status).toBe(200);
    expect((await ask(`${scheme}   ${token}`)).status).toBe(200);
  });

  it('that is not accepted gets the same response for every reason', async () => {
    await using scene = await serveToken();
    const { served, people, token, ask } = scene;
    const { world } = served;
    const revoked = await apiToken(world, people.admin);
    await revoke(world, people.admin, revoked.record.id);
    const expired = await apiToken(world, people.admin, { expiry: { in: 5000 } });
    world.clock.advance(5000);
    const ofDisabled = await signInToken(world, people.member);
    await world.users.disable(people.member.id, aRevocation(), anEvent());

    const refused = await Promise.all(
      [
        `Bearer ${revoked.secret}`,
        `Bearer ${expired.secret}`,
        `Bearer ${ofDisabled}`,
        `Bearer ${token.slice(0, -2)}`,
        `Bearer ${token}x`,
        `Bearer ${token} ${token}`,
        `Bearer ${token}, ${token}`,
        `Bearer ${token},`,
        'Bearer',
        'Bearer ',
        `Bearer\t${token}`,
        'Bearer v2.public.abc',
        'Bearer \u00e9\u00ff',
        `Bearer ${'a'.repeat(5000)}`,
      ].map(ask),
    );
    await suspend(world, people.account);
    refused.push(await ask(`Bearer ${token}`));

    for (const { status, headers, text } of refused) {
      expect([status, headers.get('www-authenticate')]).toEqual([401, `${CHALLENGE}, error="invalid_token"`]);
      expect(text).toBe(refused[0]?.text);
      expect(headers.get('x-token-expires-at')).toBeNull();
    }
    expect(refused).toHaveLength(15);
  });

  it('is refused when it is sent twice, in two headers or in one that a proxy joined', async () => {
    await using scene = await serveToken();
    const { served, token, ask } = scene;
    using connection = await openRaw(served.url);
    const twice = (...lines: string[]) =>
      connection.write(`GET ${ME} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`);
    twice(`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`);
    twice(`Authorization: Bearer ${token}`, `aUTHORIZATION: Basic abc`);
    twice('Authorization: Basic abc', `authorization: Bearer ${token}`);
    for (const { status, headers, body } of await connection.replies(3)) {
      expect([status, headers.get('www-authenticate')]).toEqual([
        400,
        `${CHALLENGE}, error="invalid_request"`,
      ]);
      expect(JSON.parse(body).type).toBe('urn:gatehouse:problem:repeated-authorization');
    }
    expect((await ask(`Bearer ${token}, Bearer ${token}`)).status).toBe(400);
  });

  it('without the scope is told which one is missing', async () => {
    await using scene = await serveToken();
    const { served, people } = scene;
    const { secret } = await apiToken(served.world, people.admin, { scopes: ['orgs:read'] });
    const { status, headers, json } = await call(served.url, ME, { token: secret });
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      `${CHALLENGE}, error="insufficient_scope", scope="me:read"`,
    ]);
    expect(json).toEqual({
      type: 'urn:gatehouse:problem:insufficient-scope',
      title: 'The scopes of the token do not allow this.',
      status: 403,
    });
  });

  it('with an expiry has it in every response; one without has not', async () => {
    await using scene = await serveToken();
    const { served, people, token } = scene;
    const { secret } = await apiToken(served.world, people.admin, { expiry: { in: 90_500 } });
    for (const path of [ME, `/api/v1/orgs/${people.shared.id}`, `/api/v1/orgs/${people.foreign.id}`]) {
      const answer = await call(served.url, path, { token: secret });
      expect(answer.headers.get('x-token-expires-at')).toBe('2026-01-01T00:01:30.000Z');
      const endless = await call(served.url, path, { token });
      expect(endless.headers.get('x-token-expires-at')).toBeNull();
    }
  });

  it('is accepted until its expiry and refused from then on', async () => {
    await using scene = await serveToken();
    const { served, people, ask } = scene;
    const { secret } = await apiToken(served.world, people.admin, { expiry: { in: 5000 } });
    served.world.clock.advance(4999);
    expect((await ask(`Bearer ${secret}`)).status).toBe(200);
    served.world.clock.advance(1);
    expect((await ask(`Bearer ${secret}`)).status).toBe(401);
  });

  it('is refused by the first request after it was revoked', async () => {
    await using scene = await serveToken();
    const { served, people, ask } = scene;
    const { secret, record } = await apiToken(served.world, people.admin);
    expect((await ask(`Bearer ${secret}`)).status).toBe(200);
    await revoke(served.world, people.admin, record.id);
    expect((await ask(`Bearer ${secret}`)).status).toBe(401);
  });

  it('of either format is accepted, whichever is issued', async () => {
    for (const format of ['paseto', 'jwt'] as const) {
      await using served = await serveWorld({ format });
      const { admin } = await populate(served.world);
      for (const issued of ['paseto', 'jwt'] as const) {
        const { secret } = await apiToken(served.world, admin, { format: issued });
        expect((await call(served.url, ME, { token: secret })).status).toBe(200);
      }
    }
  });
});
