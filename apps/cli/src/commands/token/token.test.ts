import { givenAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';

const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

/** Ada's token, and one of another account. */
async function givenTokens() {
  const cli = await givenAda();
  const bolt = await givenAccount(cli.store, 'Bolt');
  const cy = await givenUser(cli.store, bolt.id, { email: 'cy@bolt.example' });
  const erp = await givenToken(cli.store, cli.ada, { name: 'ERP' });
  const foreign = await givenToken(cli.store, cy, { name: 'Wiki' });
  return { ...cli, erp, foreign };
}

test('an empty --as is wrong usage in every command', async () => {
  const { run, erp, openCount } = await givenTokens();
  for (const args of [['list'], ['show', erp.id], ['create', '--name', 'x'], ['revoke', erp.id, '--yes']]) {
    const refused = await run(['token', ...args, '--as', '']);
    expect(refused, args[0]).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/--as EMAIL/),
    });
  }
  expect(openCount()).toBe(0);
});

test('an empty GATEHOUSE_AS is an unset one', async () => {
  const { run, erp, foreign } = await givenTokens();
  vi.stubEnv('GATEHOUSE_AS', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout } = await run(['token', 'list', '--json']);
  expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual([erp.id, foreign.id]);
  expect(await run(['token', 'create', '--name', 'x'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/GATEHOUSE_AS/),
  });
});

test.each([
  ['', 2, 'is not a name'],
  ['v4.public.eyJ', 2, '--stdin'],
  ['0', 3, 'gatehouse token list'],
  [UNKNOWN.toUpperCase(), 3, 'gatehouse token list'],
])(
  'text that is neither id nor name of a token (%j) is refused with status %i',
  async (text, status, hint) => {
    const { run } = await givenTokens();
    const refused = await run(['token', 'revoke', text, '--yes', ...AS_ADA]);
    expect(refused).toMatchObject({ status, stderr: expect.stringContaining(hint) });
  },
);

test('a token given instead of its id is not repeated', async () => {
  const { run } = await givenTokens();
  const { stderr } = await run(['token', 'show', `v4.public.${'A'.repeat(300)}`]);
  expect(stderr).not.toContain('A'.repeat(20));
});

test('a revoked token is refused from then on, and the record says why', async () => {
  const { run, erp, ada } = await givenTokens();
  const done = await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes', '--reason', 'leaked']);
  expect(done).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('Revoked token') });
  const { stdout } = await run(['token', 'show', erp.id, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'revoked', revoked_at: '2026-01-01T00:00:00.000Z' });
  expect((await run(['token', 'show', erp.id])).stdout).toContain(': leaked.');
  expect((await run(['token', 'list', '--json'])).stdout).toContain(ada.email);
});

test('revoking again succeeds with a message', async () => {
  const { run, erp, clock } = await givenTokens();
  await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes']);
  clock.advance(60_000);
  const again = await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes', '--json']);
  expect(again.stderr).toContain('was already revoked at 2026-01-01T00:00:00Z');
  expect(again.status).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    id: erp.id,
    state: 'revoked',
    revoked_at: '2026-01-01T00:00:00.000Z',
  });
});

test('without a terminal a revocation needs --yes', async () => {
  const { run, erp, store } = await givenTokens();
  const refused = await run(['token', 'revoke', erp.id, ...AS_ADA]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect((await store.tokens.findRecord(erp.id))?.revocation).toBeNull();
});

test('the account of the token decides who can revoke it', async () => {
  const { run, foreign, store } = await givenTokens();
  expect((await run(['token', 'revoke', foreign.id, '--yes', ...AS_ADA])).status).toBe(3);
  expect((await run(['token', 'revoke', UNKNOWN, '--yes', ...AS_ADA])).status).toBe(3);
  expect((await run(['token', 'revoke', foreign.id, '--yes', '--as', 'x@y'])).status).toBe(4);
  expect((await run(['token', 'revoke', foreign.id, '--yes'])).status).toBe(2);
  expect((await store.tokens.findRecord(foreign.id))?.revocation).toBeNull();
});
