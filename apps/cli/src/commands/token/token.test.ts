import { type Operator, ok } from '@gatehouse/domain';
import { givenAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import { unwrap } from '../../errors/refusals.ts';

const OPERATOR: Operator = { kind: 'operator', name: 'tester', origin: 'test' };
const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

/** Ada's token, and one of another account. */
async function givenTokens() {
  const cli = await givenAda();
  const bolt = await givenAccount(cli.store, 'Bolt');
  const cy = await givenUser(cli.store, bolt.id, { email: 'cy@bolt.example' });
  const erp = await givenToken(cli.store, cli.ada, { name: 'ERP' });
  const foreign = await givenToken(cli.store, cy, { name: 'Wiki' });
  return { ...cli, erp, foreign, usage: cli.store.usage };
}

test('the operator lists all tokens, an admin those of the account', async () => {
  const { run, erp, foreign } = await givenTokens();
  const names = async (args: readonly string[]) => {
    const { stdout } = await run(['token', 'list', '--json', ...args]);
    return JSON.parse(stdout).map(({ id }: { id: string }) => id);
  };
  expect(await names([])).toEqual([erp.id, foreign.id]);
  expect(await names(AS_ADA)).toEqual([erp.id]);
  expect((await run(['token', 'list', '--as', 'nobody@acme.example'])).status).toBe(4);
});

test('nobody is not everybody: an empty --as is wrong usage, wherever it is taken', async () => {
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

test('a list goes on where a page ends', async () => {
  const { run, gatehouse, erp } = await givenTokens();
  const report = unwrap(await gatehouse.listTokens(OPERATOR, { limit: 1 }));
  const pages = [Array(1000).fill(report[0]), Array(1000).fill(report[0]), report];
  const asked: unknown[] = [];
  Object.assign(gatehouse, {
    listTokens: async (_: unknown, page: unknown) => {
      asked.push(page);
      return ok(pages.shift());
    },
  });
  const { stdout } = await run(['token', 'list', '--jsonl']);
  expect(stdout.split('\n')).toHaveLength(2002);
  expect(asked).toMatchObject([{ limit: 1000 }, { limit: 1000, after: erp }, { limit: 1000, after: erp }]);
});

test('a token is shown as a document or as fields, never the token itself', async () => {
  const { run, erp, acme, ada } = await givenTokens();
  expect(JSON.parse((await run(['token', 'show', erp.id, '--json'])).stdout)).toEqual({
    id: erp.id,
    name: 'ERP',
    kind: 'api',
    format: 'paseto',
    scopes: ['*'],
    account_id: acme.id,
    user: { id: ada.id, email: 'ada@acme.example' },
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    last_used_at: null,
    last_refused_at: null,
    last_refused_reason: null,
    revoked_at: null,
    state: 'active',
  });
  const { stdout } = await run(['token', 'show', erp.id]);
  expect(stdout).toMatch(/^EXPIRES +never$/m);
  expect(stdout).toMatch(/^USER +ada@acme\.example$/m);
});

test('a token is shown with its last use and its last refusal', async () => {
  const { run, erp, usage, clock } = await givenTokens();
  usage.used(erp.id, clock.now());
  clock.advance(180_000);
  usage.refused(erp.id, clock.now(), 'insufficient_scope');
  clock.advance(60_000);
  const used = {
    last_used_at: '2026-01-01T00:00:00.000Z',
    last_refused_at: '2026-01-01T00:03:00.000Z',
    last_refused_reason: 'insufficient_scope',
  };
  expect(JSON.parse((await run(['token', 'show', erp.id, '--json'])).stdout)).toMatchObject(used);
  const { stdout } = await run(['token', 'show', erp.id]);
  expect(stdout).toMatch(/^LAST USED +4 minutes ago$/m);
  expect(stdout).toMatch(/^LAST REFUSED +1 minute ago: insufficient_scope$/m);
  expect((await run(['token', 'list'])).stdout).toMatch(/ERP .* 4 minutes ago .*\n.*Wiki .* never /);
  const revoked = await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes', '--json']);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ ...used, state: 'revoked' });
});

test('a token that is unknown, or of another account, is not found', async () => {
  const { run, foreign } = await givenTokens();
  expect((await run(['token', 'show', UNKNOWN])).status).toBe(3);
  expect((await run(['token', 'show', foreign.id])).status).toBe(0);
  const theirs = await run(['token', 'show', foreign.id, ...AS_ADA]);
  expect(theirs).toEqual(await run(['token', 'show', UNKNOWN, ...AS_ADA]));
  expect(theirs.status).toBe(3);
});

test.each(['', '0', UNKNOWN.toUpperCase(), `${UNKNOWN} `, 'v4.public.eyJ'])(
  'text that is no id of a token (%j) is wrong usage',
  async (id) => {
    const { run } = await givenTokens();
    for (const args of [
      ['token', 'show', id],
      ['token', 'revoke', id, '--yes', ...AS_ADA],
    ]) {
      expect(await run(args)).toMatchObject({ status: 2, stderr: expect.stringContaining('such as') });
    }
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
  expect(done).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('is revoked') });
  const { stdout } = await run(['token', 'show', erp.id, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'revoked', revoked_at: '2026-01-01T00:00:00.000Z' });
  expect((await run(['token', 'show', erp.id])).stdout).toMatch(/^REASON +leaked$/m);
  expect((await run(['token', 'list', '--json'])).stdout).toContain(ada.email);
});

test('revoking again is done already, and says so', async () => {
  const { run, erp, clock } = await givenTokens();
  await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes']);
  clock.advance(60_000);
  const again = await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes', '--json']);
  expect(again.stderr).toContain('was revoked already, at 2026-01-01T00:00:00Z');
  expect(again.status).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    id: erp.id,
    state: 'revoked',
    revoked_at: '2026-01-01T00:00:00.000Z',
  });
});

test('without a terminal a revoke needs --yes, and does nothing without', async () => {
  const { run, erp, store } = await givenTokens();
  const refused = await run(['token', 'revoke', erp.id, ...AS_ADA]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect((await store.tokens.findGrant(erp.id))?.token.revocation).toBeNull();
});

test('whose token it is decides who may revoke it', async () => {
  const { run, foreign, store } = await givenTokens();
  expect((await run(['token', 'revoke', foreign.id, '--yes', ...AS_ADA])).status).toBe(3);
  expect((await run(['token', 'revoke', UNKNOWN, '--yes', ...AS_ADA])).status).toBe(3);
  expect((await run(['token', 'revoke', foreign.id, '--yes', '--as', 'x@y'])).status).toBe(4);
  expect((await run(['token', 'revoke', foreign.id, '--yes'])).status).toBe(2);
  expect((await store.tokens.findGrant(foreign.id))?.token.revocation).toBeNull();
});

test('a table is cut to the terminal, names before ids', async () => {
  const { run, erp } = await givenTokens();
  const { stdout } = await run(['token', 'list'], { columns: 60 });
  const lines = stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines[1]).toContain(erp.id);
});
