import { PassThrough } from 'node:stream';
import type { Pages } from '@gatehouse/domain';
import { ok } from '@gatehouse/domain';
import {
  anEvent,
  aRevocation,
  givenAccount,
  givenToken,
  givenUser,
  OPERATOR,
  START,
} from '@gatehouse/domain/testing';
import type { TokenStatus } from '@gatehouse/domain/tokens';
import { expect, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import type { Gatehouse } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';

const DAY = 86_400_000;
const LIST = ['token', 'list'];

/** Tokens of Ada's, of a disabled colleague's, and one of another account. */
async function givenTokens() {
  const cli = await givenAda();
  const { store, acme, ada } = cli;
  const gone = await givenUser(store, acme.id, { email: 'gone@acme.example' });
  const cy = await givenUser(store, (await givenAccount(store, 'Bolt')).id, { email: 'cy@bolt.example' });
  await givenToken(store, ada, { name: 'ERP' });
  await givenToken(store, ada, { name: 'Scale', expiresAt: (START + 5 * DAY) as typeof START });
  await givenToken(store, gone, { name: 'Label printer' });
  await givenToken(store, cy, { name: 'Wiki', expiresAt: (START + 3 * DAY) as typeof START });
  await givenToken(store, ada, {
    name: 'Sign-in',
    kind: 'sign-in',
    expiresAt: (START + DAY) as typeof START,
  });
  await store.users.disable(gone.id, aRevocation(), anEvent());
  const names = async (args: readonly string[]) => {
    const { stdout } = await cli.run([...LIST, '--jsonl', ...args]);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).name);
  };
  return { ...cli, names };
}

test('the operator lists all tokens, an admin those of the account', async () => {
  const { names, run } = await givenTokens();
  expect(await names([])).toEqual(['ERP', 'Scale', 'Label printer', 'Wiki', 'Sign-in']);
  expect(await names(AS_ADA)).toEqual(['ERP', 'Scale', 'Label printer', 'Sign-in']);
  expect((await run([...LIST, '--as', 'nobody@acme.example'])).status).toBe(4);
});

test('a token’s document has exactly these members', async () => {
  const { run, acme, ada } = await givenTokens();
  const [erp] = JSON.parse((await run([...LIST, '--json'])).stdout);
  expect(erp).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
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
});

test('every filter excludes tokens that do not match, and filters are combined with AND', async () => {
  const { names, clock, store } = await givenTokens();
  expect(await names(['--creator', 'Gone@Acme.example'])).toEqual(['Label printer']);
  expect(await names(['--creator-inactive'])).toEqual(['Label printer']);
  expect(await names(['--kind', 'sign-in'])).toEqual(['Sign-in']);
  expect(await names(['--state', 'revoked'])).toEqual(['Label printer']);
  expect(await names(['--expiring-within', '4d'])).toEqual(['Sign-in', 'Wiki']);
  expect(await names(['--expiring-within', '4d', '--kind', 'api'])).toEqual(['Wiki']);
  expect(await names(['--never-expiring'])).toEqual(['ERP']);
  const [key] = await store.signingKeys.list();
  expect(await names(['--key', key?.id ?? '', '--kind', 'api', ...AS_ADA])).toEqual([
    'ERP',
    'Scale',
    'Label printer',
  ]);
  expect(await names(['--key', 'k4.pid.another'])).toEqual([]);

  clock.advance(2 * DAY);
  expect(await names(['--state', 'expired'])).toEqual(['Sign-in']);
  expect(await names(['--unused-for', '1d'])).toEqual(['ERP', 'Scale', 'Wiki']);
  const [scale] = await store.tokens.list({ name: 'Scale', now: clock.now(), limit: 1 });
  if (scale) store.usage.used(scale.id, clock.now());
  expect(await names(['--unused-for', '1d', ...AS_ADA])).toEqual(['ERP']);
});

test('a token that expires soon is listed, and sets the exit status', async () => {
  const { run } = await givenTokens();
  const found = await run([...LIST, '--expiring-within', '4d', '--json', '--quiet']);
  expect(found).toMatchObject({ status: 6, stderr: 'error: 2 tokens expire within this time.\n' });
  expect(JSON.parse(found.stdout)).toHaveLength(2);
  expect(await run([...LIST, '--expiring-within', '23h', '--json'])).toEqual({
    status: 0,
    stdout: '[]\n',
    stderr: '',
  });
  expect((await run([...LIST, '--expiring-within', '99999999d'])).status).toBe(6);
  expect((await run([...LIST, '--unused-for', '99999999d', '--jsonl'])).stdout).toBe('');
});

test('an unknown creator and one of another account are not found', async () => {
  const { run, names } = await givenTokens();
  expect((await run([...LIST, '--creator', 'nobody@acme.example'])).status).toBe(3);
  expect(await names(['--creator', 'cy@bolt.example'])).toEqual(['Wiki']);
  expect((await run([...LIST, '--creator', 'cy@bolt.example', ...AS_ADA])).status).toBe(3);
});

test.each([
  ['a duration of no known unit', ['--unused-for', '90x'], '"90x" is not a duration such as 90d'],
  ['a duration of nothing', ['--expiring-within', '0d'], 'is not a duration'],
  ['an unknown state', ['--state', 'asleep'], 'being_replaced'],
  ['what is no key’s id', ['--key', 'a b'], 'gatehouse key list'],
  ['an unknown kind', ['--kind', 'session'], 'sign-in'],
  ['an empty creator', ['--creator', ''], 'is not a name'],
])('%s is wrong usage, and the message says what is expected', async (_, args, hint) => {
  const { run, openCount } = await givenTokens();
  const refused = await run([...LIST, ...args]);
  expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(hint) });
  expect(openCount()).toBe(0);
});

test('for users times are relative, and a last refusal has its reason', async () => {
  const { run, clock, store } = await givenTokens();
  const [erp] = await store.tokens.list({ name: 'ERP', now: START, limit: 1 });
  const id = erp?.id as NonNullable<typeof erp>['id'];
  store.usage.used(id, clock.now());
  clock.advance(180_000);
  store.usage.refused(id, clock.now(), 'insufficient_scope');
  clock.advance(60_000);
  const { stdout } = await run(LIST);
  const [titles, first, second] = stdout.split('\n');
  expect(titles?.split(/ {2,}/)).toEqual([
    'NAME',
    'ID',
    'OWNER',
    'KIND',
    'STATE',
    'LAST USED',
    'LAST REFUSED',
    'EXPIRES',
    'CREATED',
    'SCOPES',
    'FORMAT',
    'ACCOUNT',
  ]);
  expect(first).toMatch(/^ERP .* active +4 minutes ago +1 minute ago: insufficient_scope +never /);
  expect(second).toMatch(/^Scale .* never +- +2026-01-06T00:00:00Z /);
});

test('a table fits the terminal by cutting names before ids', async () => {
  vi.stubEnv('NO_COLOR', '1');
  const { run } = await givenTokens();
  const lines = (await run(LIST, { columns: 60 })).stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(/^NAME +OWNER +STATE +EXPIRES/),
    '  ID',
    expect.stringMatching(/^ERP /),
    expect.stringMatching(/^ {2}[0-9a-f-]{36}$/),
  ]);
});

test.each(['--json', '--jsonl', '--quiet'])(
  'each page is printed before the next is read (%s)',
  async (option) => {
    const { run, gatehouse } = await givenTokens();
    const page = await firstPage(gatehouse);
    const printed: string[] = [];
    const seen: number[] = [];
    async function* pages(): Pages<TokenStatus> {
      for (let count = 0; count < 3; count += 1) {
        seen.push(printed.length);
        yield page;
      }
    }
    Object.assign(gatehouse, { listTokens: async () => ok(pages()) });
    const stdout = new PassThrough();
    stdout.on('data', (chunk) => printed.push(String(chunk)));
    expect(await run([...LIST, option], { stdout })).toMatchObject({ status: 0 });
    expect(seen).toEqual([0, 1, 2]);
    if (option === '--json') expect(JSON.parse(printed.join(''))).toHaveLength(15);
  },
);

test('an interrupted list ends at the end of a page', async () => {
  const { run, gatehouse } = await givenTokens();
  const page = await firstPage(gatehouse);
  const interrupted = new AbortController();
  async function* pages(): Pages<TokenStatus> {
    yield page;
    interrupted.abort();
    yield page;
  }
  Object.assign(gatehouse, { listTokens: async () => ok(pages()) });
  const { status, stdout } = await run([...LIST, '--jsonl'], { signal: interrupted.signal });
  expect([status, stdout.split('\n').length]).toEqual([130, 6]);
});

async function firstPage({ listTokens }: Gatehouse): Promise<readonly TokenStatus[]> {
  for await (const page of unwrap(await listTokens(OPERATOR, {}))) return page;
  return [];
}
