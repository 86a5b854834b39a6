import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenUser, START } from '@gatehouse/domain/testing';
import { expect, onTestFinished, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import { failingOutput } from '../../../testing/failing-output.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';

const CREATE = ['token', 'create', '--name', 'ERP'];

test('only the token is on standard output', async () => {
  const { run } = await givenAda();
  const created = await run([...CREATE, ...AS_ADA]);
  expect(created).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^fake-paseto\.\S+\n$/),
    stderr:
      'Created token "ERP" (01999999-0000-7000-8000-000000000001), which never expires. Copy the token now; it is not shown again:\n',
  });
});

test('with --json the token is in its document', async () => {
  const { run, acme, ada } = await givenAda();
  const args = ['--expires-in', '90d', '--scope', 'orgs:read', '--scope', 'me:read', '--format', 'jwt'];
  const { stdout } = await run([...CREATE, ...AS_ADA, ...args, '--json']);
  expect(JSON.parse(stdout)).toEqual({
    id: '01999999-0000-7000-8000-000000000001',
    name: 'ERP',
    kind: 'api',
    format: 'jwt',
    scopes: ['me:read', 'orgs:read'],
    account_id: acme.id,
    user: { id: ada.id, email: 'ada@acme.example' },
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-04-01T00:00:00.000Z',
    last_used_at: null,
    last_refused_at: null,
    last_refused_reason: null,
    revoked_at: null,
    state: 'active',
    token: expect.stringMatching(/^fake-jwt\./),
  });
});

test('a token can expire at a given time', async () => {
  const { run } = await givenAda();
  const args = [...CREATE, ...AS_ADA, '--json', '--expires-at'];
  expect(JSON.parse((await run([...args, '2026-01-02T01:00:00+01:00'])).stdout)).toMatchObject({
    expires_at: '2026-01-02T00:00:00.000Z',
    scopes: ['*'],
  });
  const past = await run([...args, '2025-12-31T23:59:59Z']);
  expect(past).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--expires-at') });
});

test.each([
  ['no admin named', [], '--as EMAIL'],
  ['an empty admin', ['--as', ''], '--as EMAIL'],
  ['a duration of no known unit', [...AS_ADA, '--expires-in', '90x'], '"90x" is not a duration such as 90d'],
  [
    'a time without a zone',
    [...AS_ADA, '--expires-at', '2027-01-31T00:00:00'],
    'such as 2027-01-31T00:00:00Z',
  ],
  ['an unknown scope', [...AS_ADA, '--scope', 'orgs:write'], '*, me:read, orgs:read'],
  ['an unknown format', [...AS_ADA, '--format', 'xml'], 'paseto, jwt'],
  ['two expiries', [...AS_ADA, '--expires-in', '1d', '--expires-at', '2027-01-31T00:00:00Z'], '--expires-in'],
  ['an unknown option', [...AS_ADA, '--expires-inn', '1d'], '(Did you mean --expires-in?)'],
])('%s is wrong usage, and the message says what is expected', async (_, args, hint) => {
  const { run, openCount } = await givenAda();
  const refused = await run([...CREATE, ...args]);
  expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(hint) });
  expect(openCount()).toBe(0);
});

test('only an active admin can create a token', async () => {
  const { run, store, acme } = await givenAda();
  await givenUser(store, acme.id, { email: 'bo@acme.example', role: 'member' });
  for (const email of ['bo@acme.example', 'nobody@acme.example', 'unknown']) {
    expect(await run([...CREATE, '--as', email]), email).toMatchObject({ status: 4, stdout: '' });
  }
});

test('a name in use is a conflict', async () => {
  const { run } = await givenAda();
  await run([...CREATE, ...AS_ADA]);
  expect(await run([...CREATE, ...AS_ADA])).toMatchObject({ status: 5, stdout: '' });
});

test('--out writes the token to a file that only its owner can read', async () => {
  const { run } = await givenAda();
  const path = join(await aTemporaryFolder(), 'erp.token');
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const created = await run([...CREATE, ...AS_ADA, '--out', path, '--json']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toMatch(/^fake-paseto\.\S+$/);
  expect(JSON.parse(created.stdout)).not.toHaveProperty('token');
  expect(created.stderr).not.toContain('fake-paseto.');
});

test('--out never overwrites a file, and creates no token then', async () => {
  const { run, store } = await givenAda();
  const path = join(await aTemporaryFolder(), 'erp.token');
  await writeFile(path, 'precious');
  expect(await run([...CREATE, ...AS_ADA, '--out', path])).toMatchObject({ status: 5, stdout: '' });
  expect(await run([...CREATE, ...AS_ADA, '--out', join(path, 'below')])).toMatchObject({ status: 1 });
  expect(await readFile(path, 'utf8')).toBe('precious');
  expect(await store.tokens.list({ now: START, limit: 9 })).toEqual([]);
});

test('a refused token leaves no file', async () => {
  const { run } = await givenAda();
  await run([...CREATE, ...AS_ADA]);
  const folder = await aTemporaryFolder();
  expect((await run([...CREATE, ...AS_ADA, '--out', join(folder, 'erp.token')])).status).toBe(5);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['ENOSPC', 'EPIPE'])('a token that could not be printed (%s) is revoked', async (code) => {
  const { run, store } = await givenAda();
  const failed = await run([...CREATE, ...AS_ADA], { stdout: failingOutput(code) });
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('so it was revoked') });
  expect(await store.tokens.list({ now: START, limit: 9 })).toMatchObject([
    { revocation: { reason: 'it could not be handed over' } },
  ]);
});

test('if even that fails, the user is told to do it', async () => {
  const { run, gatehouse } = await givenAda();
  Object.assign(gatehouse, { revokeToken: () => Promise.reject(new Error('gone')) });
  const failed = await run([...CREATE, ...AS_ADA], { stdout: failingOutput('EPIPE') });
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('gatehouse token revoke 01999999-0000-7000-8000-000000000001'),
  });
});
