import { createClient } from '@gatehouse/client';
import { anEvent, apiToken, aRevocation, PASSWORD, revoke } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

async function serve() {
  const scene = await startTestServer();
  const { record, secret } = await apiToken(scene.world, scene.people.admin);
  const client = createClient({ baseUrl: scene.url, token: secret });
  return { ...scene, record, client };
}

describe('the typed client gets from a server', () => {
  test('an organization, and nothing of one that it has already', async () => {
    await using scene = await serve();
    const { id, name, description } = scene.people.shared;
    const first = await scene.client.getOrg(id);
    expect(first).toMatchObject({ status: 200, body: { id, name, description }, tokenExpiresAt: undefined });
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect(await scene.client.getOrg(`${id}`, { headers })).toMatchObject({ status: 304, body: undefined });
  });

  test.each<[string, number | string]>([
    ['another account’s', 0],
    ['no id', 'x/../../me.json'],
    ['too large', 2 ** 60],
  ])('a problem for an organization that is %s', async (name, id) => {
    await using scene = await serve();
    const answer = await scene.client.getOrg(name.startsWith('another') ? scene.people.foreign.id : id);
    expect(answer).toMatchObject({ status: 404, body: { type: 'urn:gatehouse:problem:not-found' } });
  });

  test('who is calling, until the token is revoked', async () => {
    await using scene = await serve();
    expect(await scene.client.me()).toMatchObject({ status: 200, body: { email: scene.people.admin.email } });
    await revoke(scene.world, scene.people.admin, scene.record.id);
    expect(await scene.client.getMe()).toMatchObject({
      status: 401,
      body: { type: 'urn:gatehouse:problem:token-not-accepted' },
    });
  });

  test('a token and its end for a password, and why there is none', async () => {
    await using scene = await serve();
    const { email, id } = scene.people.member;
    const signedIn = await scene.client.signIn({ email, password: PASSWORD });
    if (signedIn.status !== 200) return expect.fail(`${signedIn.status}`);
    const member = createClient({ baseUrl: scene.url, token: async () => signedIn.body.token });
    const me = await member.me();
    expect(me).toMatchObject({ status: 200, body: { id }, tokenExpiresAt: signedIn.tokenExpiresAt });
    expect(signedIn.tokenExpiresAt).toBeInstanceOf(Date);
    const invalid = await scene.client.signIn({ email: '', password: PASSWORD });
    if (invalid.status !== 422) return expect.fail(`${invalid.status}`);
    expect(invalid.body.errors).toEqual([{ field: 'email', message: 'must not be empty' }]);
    await scene.world.users.disable(id, aRevocation(), anEvent());
    expect(await scene.client.signIn({ email, password: PASSWORD })).toMatchObject({
      status: 401,
      body: { type: 'urn:gatehouse:problem:credentials-not-accepted' },
    });
  });

  test('keys and the document, without a token', async () => {
    await using scene = await serve();
    const client = createClient({ baseUrl: scene.url });
    expect(await client.getJwks()).toMatchObject({ status: 200, body: { keys: expect.any(Array) } });
    expect(await client.getPaserkKeys()).toMatchObject({ status: 200 });
    expect(await client.getOpenApiDocument()).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    expect(await client.me()).toMatchObject({ status: 401 });
  });
});
