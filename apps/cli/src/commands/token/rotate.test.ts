import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyRing } from '@gatehouse/domain/signing-keys';
import { createFakeTokenSigner, givenAccount, givenUser } from '@gatehouse/domain/testing';
import { authenticateToken, type Token, type TokenId } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import { failingOutput } from '../../../testing/failing-output.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';

const DAY = 86_400_000;
const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

/** A token of Ada's, and functions that read its state. */
async function givenErp(...more: readonly string[]) {
  const cli = await givenAda();
  const { run, store, clock } = cli;
  const created = await run(['token', 'create', '--name', 'ERP', ...AS_ADA, '--json', ...more]);
  const erp: { readonly id: TokenId; readonly token: string } = JSON.parse(created.stdout);
  const authenticate = authenticateToken({
    ...store,
    clock,
    keys: createKeyRing({ signingKeys: store.signingKeys, clock }),
    signers: [createFakeTokenSigner('paseto'), createFakeTokenSigner('jwt')],
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
  });
  return {
    ...cli,
    erp,
    rotate: (...args: readonly string[]) => run(['token', 'rotate', erp.id, ...AS_ADA, ...args]),
    recordOf: async (id: TokenId): Promise<Token | undefined> => await store.tokens.findRecord(id),
    isAccepted: async (token: string) => (await authenticate(token.trim(), 'test')).kind === 'user',
    states: async () => {
      const { stdout } = await run(['token', 'list', '--json']);
      return JSON.parse(stdout).map(({ state }: { readonly state: string }) => state);
    },
  };
}

test('only the new token is on standard output; both work, and a message says for how long', async () => {
  const { rotate, erp, isAccepted, states, clock } = await givenErp();
  const rotated = await rotate();
  expect(rotated).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^fake-paseto\.\S+\n$/),
    stderr:
      'Created token "ERP" (01999999-0000-7000-8000-000000000002), which never expires. The old token works until 24 hours after this one is first used. Copy the token now; it is not shown again:\n',
  });
  expect(await states()).toEqual(['being_replaced', 'active']);
  clock.advance(10 * DAY);
  expect(await isAccepted(erp.token)).toBe(true);
  expect(await isAccepted(rotated.stdout)).toBe(true);
  clock.advance(DAY);
  expect(await isAccepted(erp.token)).toBe(false);
  expect(await states()).toEqual(['expired', 'active']);
});

test('with --json the token is in its document, and inherits what is not given', async () => {
  const { rotate, erp, recordOf } = await givenErp('--expires-in', '90d', '--scope', 'me:read');
  const rotated = await rotate('--json', '--grace', '7d', '--format', 'jwt');
  const document = JSON.parse(rotated.stdout);
  expect(document).toMatchObject({
    name: 'ERP',
    format: 'jwt',
    scopes: ['me:read'],
    expires_at: '2026-04-01T00:00:00.000Z',
    state: 'active',
    token: expect.stringMatching(/^fake-jwt\./),
  });
  expect(rotated.stderr).toContain(
    'until 7 days after this one is first used, but not beyond 2026-04-01T00:00:00Z.',
  );
  expect((await recordOf(document.id))?.replaces).toEqual({ tokenId: erp.id, graceMs: 7 * DAY });
});

test('--now revokes the old token, with the new one in the reason', async () => {
  const { rotate, erp, recordOf, isAccepted } = await givenErp();
  const rotated = await rotate('--now', '--yes', '--json');
  expect(rotated.status).toBe(0);
  const { id, token } = JSON.parse(rotated.stdout);
  expect(rotated.stderr).toContain(`Revoked the old token (${erp.id}).`);
  expect((await recordOf(erp.id))?.revocation?.reason).toBe(`replaced by ${id}`);
  expect(await isAccepted(erp.token)).toBe(false);
  expect(await isAccepted(token)).toBe(true);
});

test.each<[string, readonly string[], string]>([
  ['a duration of no known unit', ['--grace', '90x'], '"90x" is not a duration such as 90d'],
  ['a grace of more than a year', ['--grace', '367d'], '--grace must be at most 366 days'],
  ['a grace, and none', ['--grace', '1d', '--now', '--yes'], '--now'],
  ['--now without a terminal', ['--now'], '--yes'],
  ['an unknown format', ['--format', 'xml'], 'paseto, jwt'],
])('%s is wrong usage', async (_, args, hint) => {
  const { rotate, states } = await givenErp();
  const refused = await rotate(...args);
  expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(hint) });
  expect(await states()).toEqual(['active']);
});

test('the owner of the token and the caller decide', async () => {
  const { run, erp, store, acme, states } = await givenErp();
  await givenUser(store, acme.id, { email: 'bo@acme.example', role: 'member' });
  await givenUser(store, (await givenAccount(store)).id, { email: 'eve@evil.example' });
  const rotate = async (id: string, ...as: readonly string[]) =>
    (await run(['token', 'rotate', id, ...as])).status;
  expect(await rotate(erp.id)).toBe(2);
  expect(await rotate(erp.id, '--as', 'bo@acme.example')).toBe(4);
  expect(await rotate(erp.id, '--as', 'eve@evil.example')).toBe(3);
  expect(await rotate(UNKNOWN, ...AS_ADA)).toBe(3);
  expect(await rotate('Wiki', ...AS_ADA)).toBe(3);
  expect(await states()).toEqual(['active']);
  expect(await rotate('ERP', ...AS_ADA)).toBe(0);
  expect(await rotate('ERP', ...AS_ADA)).toBe(5);
});

test('a token that is being replaced or was not used is a conflict; once the unused one is revoked, it can be rotated again', async () => {
  const { run, rotate, erp } = await givenErp();
  const { id } = JSON.parse((await rotate('--json')).stdout);
  expect(await rotate()).toEqual({ status: 5, stdout: '', stderr: expect.stringContaining(`by ${id}`) });
  const unused = await run(['token', 'rotate', id, ...AS_ADA]);
  expect(unused).toEqual({ status: 5, stdout: '', stderr: expect.stringContaining(`replaces ${erp.id}`) });
  await run(['token', 'revoke', id, ...AS_ADA, '--yes']);
  expect(await rotate()).toMatchObject({ status: 0 });
});

test('--out writes the token to a file', async () => {
  const { rotate, isAccepted } = await givenErp();
  const path = join(await aTemporaryFolder(), 'erp.token');
  const rotated = await rotate('--out', path);
  expect(rotated).toMatchObject({ status: 0, stdout: '' });
  expect(await isAccepted(await readFile(path, 'utf8'))).toBe(true);
});

test('an existing file is not overwritten, and a refused rotation leaves no file', async () => {
  const { rotate, states } = await givenErp();
  const folder = await aTemporaryFolder();
  await writeFile(join(folder, 'precious'), 'precious');
  expect(await rotate('--out', join(folder, 'precious'))).toMatchObject({ status: 5, stdout: '' });
  expect(await states()).toEqual(['active']);
  await rotate();
  expect(await rotate('--out', join(folder, 'second'))).toMatchObject({ status: 5, stdout: '' });
  expect(await readdir(folder)).toEqual(['precious']);
});

test.each([
  ['ENOSPC', []],
  ['EPIPE', []],
  ['ENOSPC', ['--now', '--yes']],
  ['EPIPE', ['--now', '--yes']],
])(
  'a new token that could not be printed (%s %j) is revoked, and the old one is as before',
  async (code, args) => {
    const { run, erp, isAccepted, states } = await givenErp();
    const stdout = failingOutput(code);
    const failed = await run(['token', 'rotate', erp.id, ...AS_ADA, ...args], { stdout });
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('still works') });
    expect(await states()).toEqual(['active', 'revoked']);
    expect(await isAccepted(erp.token)).toBe(true);
  },
);

test('if the old token cannot be revoked, the new one stays, and the user is told', async () => {
  const { rotate, gatehouse, erp, isAccepted } = await givenErp();
  Object.assign(gatehouse, { revokeToken: () => Promise.reject(new Error('gone')) });
  const path = join(await aTemporaryFolder(), 'erp.token');
  const failed = await rotate('--now', '--yes', '--out', path);
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`gatehouse token revoke ${erp.id}`),
  });
  expect(await isAccepted(await readFile(path, 'utf8'))).toBe(true);
});
