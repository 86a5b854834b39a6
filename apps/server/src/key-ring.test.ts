import {
  activateKey,
  createKey,
  type KeyEncryption,
  type KeyId,
  retireKey,
  rewrapKeys,
} from '@gatehouse/domain/signing-keys';
import { createSystemClock } from '@gatehouse/installation';
import { createKeyEncryption, createMasterKey, parseMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { expect, it } from 'vitest';
import { call, signInWith } from '../testing/client.ts';
import { execute } from '../testing/execute.ts';
import { type ServedPostgres, servePostgres } from '../testing/serve-postgres.ts';

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;
const STALENESS_MS = 500;

/** Someone who looks after the keys, beside a server that goes on running. */
async function openKeeper({ testDatabase, masterKey: text }: ServedPostgres) {
  const database = openDatabase({ url: testDatabase.url, poolSize: 1 });
  const ports = {
    signingKeys: createPostgresRepositories(database).signingKeys,
    signers: [createPasetoTokenSigner(), createJwtTokenSigner()],
    encryption: encryptionUnder(text),
    clock: createSystemClock(),
    maxStalenessMs: STALENESS_MS,
  };
  return {
    async createKey() {
      const created = await createKey(ports)(OPERATOR, 'paseto');
      return created.ok ? created.value.id : expect.fail(created.error.code);
    },
    activate: activateKey(ports),
    retire: retireKey(ports),
    rewrap(next: KeyEncryption) {
      const replacement = { current: ports.encryption, next, complete: async () => undefined };
      return rewrapKeys({ ...ports, masterKeys: { replace: (work) => work(replacement) } })(OPERATOR);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

function encryptionUnder(text: string): KeyEncryption {
  const masterKey = parseMasterKey(text);
  return masterKey.ok ? createKeyEncryption({ masterKey: masterKey.value }) : expect.fail();
}

async function signIn({ url, demo }: ServedPostgres): Promise<string> {
  const { email, password } = demo.admin;
  const reply = await signInWith(url, { email, password });
  expect(reply.status).toBe(200);
  return (reply.json as { readonly token: string }).token;
}

const statusOf = async ({ url }: ServedPostgres, token: string) =>
  (await call(url, '/api/v1/me.json', { token })).status;

/** Whether anyone may see that the key is accepted. */
const isPublished = async ({ url }: ServedPostgres, id: KeyId) =>
  JSON.stringify((await call(url, '/.well-known/paserk.json')).json).includes(`"${id}"`);

/** The key that the newest token names. */
async function keyOfNewest({ testDatabase }: ServedPostgres): Promise<KeyId> {
  const rows = await execute(testDatabase.url, 'select key_id from tokens order by id desc limit 1');
  return (rows[0] as { readonly key_id: KeyId }).key_id;
}

it('a running server signs with the key that is activated, and refuses at once what a retired one signed', async () => {
  await using server = await servePostgres({ MAX_STALENESS_MS: String(STALENESS_MS) });
  await using keeper = await openKeeper(server);
  const before = await signIn(server);
  const old = await keyOfNewest(server);
  expect([await statusOf(server, before), await statusOf(server, server.demo.token)]).toEqual([200, 200]);

  expect(await isPublished(server, old)).toBe(true);

  const id = await keeper.createKey();
  // Before it can be activated, and so before anything is signed with it.
  await expect.poll(() => isPublished(server, id), { interval: 5, timeout: 2 * STALENESS_MS }).toBe(true);
  expect(await keeper.activate(OPERATOR, id)).toMatchObject({ error: { code: 'key_too_young' } });
  const isActivated = async () => (await keeper.activate(OPERATOR, id)).ok;
  await expect.poll(isActivated, { timeout: 10 * STALENESS_MS }).toBe(true);
  const after = await signIn(server);
  expect(await keyOfNewest(server)).toBe(id);
  expect([await statusOf(server, before), await statusOf(server, after)]).toEqual([200, 200]);

  expect(await keeper.retire(OPERATOR, { id: old, revokeTokens: false })).toMatchObject({
    error: { code: 'key_in_use', liveTokens: 2 },
  });
  expect(await statusOf(server, before)).toBe(200);
  expect(await keeper.retire(OPERATOR, { id: old, revokeTokens: true })).toMatchObject({ ok: true });
  const since = performance.now();
  await expect.poll(() => statusOf(server, before), { interval: 5 }).toBe(401);
  expect(await statusOf(server, server.demo.token)).toBe(401);
  await expect.poll(() => isPublished(server, old), { interval: 5 }).toBe(false);
  expect(performance.now() - since).toBeLessThan(STALENESS_MS);
  expect(await statusOf(server, after)).toBe(200);
  expect(await isPublished(server, id)).toBe(true);
});

it('a running server keeps signing when the master key is replaced by one that it does not have', async () => {
  await using server = await servePostgres();
  await using keeper = await openKeeper(server);
  const staged = await keeper.createKey();
  const before = await signIn(server);
  expect(await keeper.rewrap(encryptionUnder(createMasterKey()))).toMatchObject({ ok: true });
  const after = await signIn(server);
  expect([await statusOf(server, before), await statusOf(server, after)]).toEqual([200, 200]);

  // A key that it has not opened before is another matter: it was made after its start.
  const isActivated = async () => (await keeper.activate(OPERATOR, staged)).ok;
  await expect.poll(isActivated, { timeout: 10 * STALENESS_MS }).toBe(true);
  const { email, password } = server.demo.admin;
  expect((await signInWith(server.url, { email, password })).status).toBe(500);
  expect(await statusOf(server, after)).toBe(200);
});
