import { anEvent, aSigningKey, aToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { Token } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';
import { createMemoryCli } from '../../testing/memory-cli.ts';

test('creating the first key also creates the active ones, as a server does', async () => {
  const { run } = createMemoryCli();
  const created = await run(['key', 'create', '--format', 'jwt']);
  expect(created).toMatchObject({ status: 0, stderr: expect.stringContaining('activate') });
  const keys = JSON.parse((await run(['key', 'list', '--json'])).stdout);
  expect(keys).toHaveLength(3);
  // Keys with the same time have no order.
  expect(keys).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ format: 'paseto', state: 'active' }),
      expect.objectContaining({ format: 'jwt', state: 'active' }),
      {
        id: created.stdout.trim(),
        format: 'jwt',
        state: 'staged',
        created_at: '2026-01-01T00:00:00.000Z',
        activated_at: null,
        retired_at: null,
        live_tokens: 0,
        retirable_at: null,
      },
    ]),
  );
});

test('a key is activated once every server can know it', async () => {
  const { run, clock } = createMemoryCli();
  const id = (await run(['key', 'create'])).stdout.trim();
  const early = await run(['key', 'activate', id]);
  expect(early).toMatchObject({ status: 5, stderr: expect.stringContaining('2026-01-01T00:00:02.000Z') });
  clock.advance(2000);
  const done = await run(['key', 'activate', id, '--json']);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining(id) });
  expect(JSON.parse(done.stdout)).toMatchObject({ id, state: 'active' });
  expect((await run(['key', 'activate', id])).status).toBe(5);
});

test('an unknown key is not found, even if it looks like an option', async () => {
  const { run } = createMemoryCli();
  for (const id of ['abc', '-hJ5', '--Zx', '-9']) {
    expect(await run(['key', 'activate', id]), id).toMatchObject({ status: 3 });
  }
  expect(await run(['key', 'activate', 'a/b'])).toMatchObject({ status: 2 });
  expect(await run(['key', 'activate'])).toMatchObject({ status: 2 });
});

test('a new master key is 32 bytes, different every time, and the only text on standard output', async () => {
  const { run, openCount } = createMemoryCli();
  const { stdout } = await run(['key', 'new-master']);
  expect(stdout).toMatch(/^[\w-]{43}\n$/);
  expect((await run(['key', 'new-master'])).stdout).not.toBe(stdout);
  expect(JSON.parse((await run(['key', 'new-master', '--json'])).stdout)).toEqual({
    master_key: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(openCount()).toBe(0);
});

/** A key that another one has replaced, with tokens of Ada's. */
async function givenOldKey() {
  const cli = await givenAda();
  const old = aSigningKey({ state: 'verify-only', activatedAt: START });
  await cli.store.signingKeys.insert(old, anEvent());
  async function sign(parts: Partial<Token> = {}) {
    const token = aToken(cli.ada, old, parts);
    const inserted = await cli.store.tokens.insert(token, {}, anEvent());
    return inserted.ok ? token : expect.fail(inserted.error.code);
  }
  const listed = async () => {
    const { stdout } = await cli.run(['key', 'list', '--json']);
    return JSON.parse(stdout).find(({ id }: { readonly id: string }) => id === old.id);
  };
  const shown = async () => (await cli.run(['key', 'list'])).stdout;
  return { ...cli, old, sign, listed, shown };
}

test('the list has the number of live tokens of each key, and when it can retire', async () => {
  const { old, sign, listed, shown } = await givenOldKey();
  expect(await listed()).toMatchObject({ live_tokens: 0, retirable_at: '2026-01-01T00:00:00.000Z' });
  expect(await shown()).toMatch(new RegExp(`${old.id}.* 0 +now\n`));

  await sign({ expiresAt: addMilliseconds(START, 86_400_000) });
  expect(await listed()).toEqual({
    id: old.id,
    format: 'paseto',
    state: 'verify-only',
    created_at: '2026-01-01T00:00:00.000Z',
    activated_at: '2026-01-01T00:00:00.000Z',
    retired_at: null,
    live_tokens: 1,
    retirable_at: '2026-01-02T00:00:00.000Z',
  });
  expect(await shown()).toMatch(/ 1 +from 2026-01-02T00:00:00Z\n/);

  await sign();
  expect(await listed()).toMatchObject({ live_tokens: 2, retirable_at: null });
  expect(await shown()).toMatch(/ 2 +after 1 token without expiry\n/);
});

test('a key is retired without live tokens, and refused while it has any', async () => {
  const { run, clock, old, sign, listed, shown } = await givenOldKey();
  await sign({ expiresAt: addMilliseconds(START, 86_400_000) });
  const retire = ['key', 'retire', old.id, '--yes'];
  expect(await run(retire)).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(
      /1 live token: it can be retired from 2026-01-02T00:00:00.000Z, .*--revoke-tokens/,
    ),
  });
  clock.advance(86_400_000);
  const done = await run([...retire, '--json']);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining('Retired the key') });
  expect(JSON.parse(done.stdout)).toMatchObject({ id: old.id, state: 'retired', revoked_tokens: 0 });
  expect(await listed()).toMatchObject({ retired_at: '2026-01-02T00:00:00.000Z', retirable_at: null });
  expect(await shown()).toContain('retired 2026-01-02T00:00:00Z');
  expect(await run(retire)).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('The key is retired'),
  });
});

test('retiring a key revokes its tokens on request', async () => {
  const { run, store, old, sign } = await givenOldKey();
  const token = await sign();
  expect(await run(['key', 'retire', old.id, '--yes'])).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('rotate or revoke those without an expiry'),
  });
  const done = await run(['key', 'retire', old.id, '--revoke-tokens', '--yes']);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining('Revoked 1 token with it.') });
  expect((await store.tokens.findRecord(token.id))?.revocation).toMatchObject({
    by: { kind: 'operator', name: 'tester' },
    reason: 'signing key retired',
  });
});

test('the active key is not retired, and the message says what to do first', async () => {
  const { run } = createMemoryCli();
  const id = (await run(['key', 'create'])).stdout.trim();
  const keys = JSON.parse((await run(['key', 'list', '--json'])).stdout);
  const active = keys.find(({ state }: { readonly state: string }) => state === 'active').id;
  const needs = 'only a verify-only key can be retired';
  const staged = await run(['key', 'retire', id, '--yes']);
  expect(staged).toMatchObject({ status: 5, stderr: expect.stringContaining(`is staged; ${needs}.`) });
  const retired = await run(['key', 'retire', active, '--yes', '--revoke-tokens']);
  expect(retired).toMatchObject({
    status: 5,
    stderr: expect.stringContaining(`${needs}: activate another key first`),
  });
});

test('without a terminal a key is retired only with --yes, and unknown ones not at all', async () => {
  const { run, old, listed } = await givenOldKey();
  const refused = await run(['key', 'retire', old.id]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect(await listed()).toMatchObject({ state: 'verify-only' });
  expect(await run(['key', 'retire', '--Zx', '--yes'])).toMatchObject({ status: 3 });
  expect(await run(['key', 'retire', '--yes'])).toMatchObject({ status: 2 });
  expect(await run(['key', 'retire', 'a/b', '--yes'])).toMatchObject({ status: 2 });
});

test('rewrapping prints the number of keys, and where the new master key is', async () => {
  const { run } = createMemoryCli();
  await run(['key', 'create']);
  const done = await run(['key', 'rewrap', '--json']);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining('/data/master.key') });
  expect(done.stderr).toContain('/data/master.key.2026-01-01: older backups of the database need it');
  expect(JSON.parse(done.stdout)).toEqual({
    rewrapped: 3,
    unchanged: 0,
    master_key_file: '/data/master.key',
    kept_master_key_file: '/data/master.key.2026-01-01',
  });
  const again = await run(['key', 'rewrap']);
  expect(again).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('already') });
});
