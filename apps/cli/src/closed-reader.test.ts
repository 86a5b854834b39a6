import { ok } from '@gatehouse/domain';
import type { TokenId } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../testing/ada.ts';
import { failingOutput } from '../testing/failing-output.ts';

const UNKNOWN = ['019a0000-0000-7000-8000-000000000000', '019a0000-0000-7000-8000-000000000001'];

/** Creates Ada with a token that expires soon, and a revoked one, which is `secret`. */
async function givenTokens() {
  const cli = await givenAda();
  const create = async (...args: readonly string[]) =>
    JSON.parse((await cli.run(['token', 'create', ...AS_ADA, '--json', ...args])).stdout);
  const soon = await create('--name', 'Soon', '--expires-in', '1d');
  const { id, token: secret } = await create('--name', 'Ended');
  await cli.run(['token', 'revoke', id, ...AS_ADA, '--yes']);
  return { ...cli, soon: soon.id as TokenId, secret: secret as string };
}

test.each([
  ['token revoke, where all fail', ['token', 'revoke', ...UNKNOWN, ...AS_ADA, '--yes', '--json'], 6],
  ['token revoke --dry-run', ['token', 'revoke', ...UNKNOWN, ...AS_ADA, '--dry-run', '--json'], 6],
  ['token list --expiring-within', ['token', 'list', '--expiring-within', '2d'], 6],
  ['token list --expiring-within --json', ['token', 'list', '--expiring-within', '2d', '--json'], 6],
  ['token inspect', ['token', 'inspect'], 6],
  ['token inspect --json', ['token', 'inspect', '--json'], 6],
  ['token list', ['token', 'list'], 0],
  ['account create', ['account', 'create', '--name', 'Unread'], 0],
] as const)(
  'a reader that closes standard output changes no exit status: %s',
  async (_title, args, status) => {
    const { run, secret } = await givenTokens();
    const unread = await run(args, { stdin: secret, stdout: failingOutput('EPIPE') });
    expect(unread).toMatchObject({ status });
    // The error is still reported.
    expect(/^error:/m.test(unread.stderr)).toBe(status !== 0);
  },
);

test('a reader that closes standard output does not make a doctor with findings succeed', async () => {
  const { run, gatehouse } = await givenAda();
  const finding = { code: 'schema_behind' } as const;
  Object.assign(gatehouse, {
    checkHealth: async () => ok([{ check: 'schema', status: 'failed', findings: [finding] }]),
  });
  for (const args of [['doctor'], ['doctor', '--json']]) {
    expect(await run(args, { stdout: failingOutput('EPIPE') })).toMatchObject({
      status: 6,
      stderr: 'error: 1 finding.\n',
    });
  }
});

test('a revocation is done even if the reader has closed standard output', async () => {
  const { run, soon, store } = await givenTokens();
  const revoke = ['token', 'revoke', soon, ...AS_ADA, '--yes', '--json'];
  expect(await run(revoke, { stdout: failingOutput('EPIPE') })).toMatchObject({ status: 0 });
  expect((await store.tokens.findRecord(soon))?.revocation).not.toBeNull();
});

test('a master key that no reader received is a failure', async () => {
  const { run } = await givenAda();
  expect(await run(['key', 'new-master'], { stdout: failingOutput('EPIPE') })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: The output cannot be written/m),
  });
});

test('a connection that breaks with the error of a closed reader is a failure', async () => {
  const { run, gatehouse, soon } = await givenTokens();
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  Object.assign(gatehouse, { revokeToken: () => Promise.reject(broken) });
  expect(await run(['token', 'revoke', soon, ...AS_ADA, '--yes'])).toMatchObject({ status: 1 });
});
