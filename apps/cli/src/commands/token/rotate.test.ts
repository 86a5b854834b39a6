import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WITHOUT_TURNS } from '@gatehouse/domain';
import { createKeyRing } from '@gatehouse/domain/signing-keys';
import { createFakeTokenSigner } from '@gatehouse/domain/testing';
import { authenticateToken, type Token, type TokenId } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import { failingOutput } from '../../../testing/failing-output.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';

/** A token of Ada's, and functions that read its state. */
async function givenErp(...more: readonly string[]) {
  const cli = await givenAda();
  const { run, store, clock } = cli;
  const created = await run(['token', 'create', '--name', 'ERP', ...AS_ADA, '--json', ...more]);
  const erp: { readonly id: TokenId; readonly token: string } = JSON.parse(created.stdout);
  const authenticate = authenticateToken({
    ...store,
    clock,
    onBehalf: WITHOUT_TURNS,
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
