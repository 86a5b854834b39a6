import { type KeyEncryption, type KeyId, rewrapKeys } from '@gatehouse/domain/signing-keys';
import { unwrap } from '@gatehouse/domain/testing';
import { createKeyEncryption, createMasterKey, parseMasterKey } from '@gatehouse/key-encryption';
import { expect, it } from 'vitest';
import { call, ME, signInWith, tokenIn } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { type DemoServer, OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const STALENESS_MS = 500;

/** Encrypts the signing keys under another master key, beside a server that goes on running. */
function rewrap({ container, database }: DemoServer, next: KeyEncryption) {
  const { repositories, clock } = container.services;
  const replacement = { current: encryptionUnder(database.masterKey), next, complete: async () => undefined };
  return rewrapKeys({ ...repositories, clock, masterKeys: { replace: (work) => work(replacement) } })(
    OPERATOR,
  );
}

const encryptionUnder = (text: string) => createKeyEncryption({ masterKey: unwrap(parseMasterKey(text)) });

async function signIn({ url, demo }: DemoServer): Promise<string> {
  const reply = await signInWith(url, demo.admin);
  expect(reply.status).toBe(200);
  return tokenIn(reply);
}

const statusOf = async ({ url }: DemoServer, token: string) => (await call(url, ME, { token })).status;

/** Whether anyone may see that the key is accepted. */
const isPublished = async ({ url }: DemoServer, id: KeyId) =>
  JSON.stringify((await call(url, '/.well-known/paserk.json')).json).includes(`"${id}"`);

/** The key that the newest token names. */
async function keyOfNewest({ database }: DemoServer): Promise<KeyId> {
  const rows = await execute(database.url, 'select key_id from tokens order by id desc limit 1');
  return (rows[0] as { readonly key_id: KeyId }).key_id;
}

it('a running server signs with the key that is activated, and refuses at once what a retired one signed', async () => {
  await using server = await startTestServer({
    database: 'postgres',
    settings: { MAX_STALENESS_MS: String(STALENESS_MS) },
  });
  const { createKey, activateKey, retireKey } = server.container.services.useCases;
  const before = await signIn(server);
  const old = await keyOfNewest(server);
  expect([await statusOf(server, before), await statusOf(server, server.demo.token)]).toEqual([200, 200]);

  expect(await isPublished(server, old)).toBe(true);

  const { id } = unwrap(await createKey(OPERATOR, 'paseto'));
  // Before it can be activated, and so before anything is signed with it.
  await expect.poll(() => isPublished(server, id), { interval: 5, timeout: 2 * STALENESS_MS }).toBe(true);
  expect(await activateKey(OPERATOR, id)).toMatchObject({ error: { code: 'key_too_young' } });
  const isActivated = async () => (await activateKey(OPERATOR, id)).ok;
  await expect.poll(isActivated, { timeout: 10 * STALENESS_MS }).toBe(true);
  const after = await signIn(server);
  expect(await keyOfNewest(server)).toBe(id);
  expect([await statusOf(server, before), await statusOf(server, after)]).toEqual([200, 200]);

  expect(await retireKey(OPERATOR, { id: old, revokeTokens: false })).toMatchObject({
    error: { code: 'key_in_use', liveTokens: 2 },
  });
  expect(await statusOf(server, before)).toBe(200);
  expect(await retireKey(OPERATOR, { id: old, revokeTokens: true })).toMatchObject({ ok: true });
  const since = performance.now();
  await expect.poll(() => statusOf(server, before), { interval: 5 }).toBe(401);
  expect(await statusOf(server, server.demo.token)).toBe(401);
  await expect.poll(() => isPublished(server, old), { interval: 5 }).toBe(false);
  expect(performance.now() - since).toBeLessThan(STALENESS_MS);
  expect(await statusOf(server, after)).toBe(200);
  expect(await isPublished(server, id)).toBe(true);
});

it('a running server keeps signing when the master key is replaced by one that it does not have', async () => {
  await using server = await startTestServer({
    database: 'postgres',
    settings: { MAX_STALENESS_MS: String(STALENESS_MS) },
  });
  const { createKey, activateKey } = server.container.services.useCases;
  const { id: staged } = unwrap(await createKey(OPERATOR, 'paseto'));
  const before = await signIn(server);
  expect(await rewrap(server, encryptionUnder(createMasterKey()))).toMatchObject({ ok: true });
  const after = await signIn(server);
  expect([await statusOf(server, before), await statusOf(server, after)]).toEqual([200, 200]);

  // A key that it has not opened before is another matter: it was made after its start.
  const isActivated = async () => (await activateKey(OPERATOR, staged)).ok;
  await expect.poll(isActivated, { timeout: 10 * STALENESS_MS }).toBe(true);
  expect((await signInWith(server.url, server.demo.admin)).status).toBe(500);
  expect(await statusOf(server, after)).toBe(200);
});
