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
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';
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
    expect(await run([...LIST, '--all', option], { stdout })).toMatchObject({ status: 0 });
    expect(seen).toEqual([0, 1, 2]);
    if (option === '--json') expect(JSON.parse(printed.join(''))).toHaveLength(15);
  },
);

test('the table begins with the newest token, and JSON with the oldest', async () => {
  const { run, names } = await givenTokens();
  const oldest = ['ERP', 'Scale', 'Label printer', 'Wiki', 'Sign-in'];
  expect(await names([])).toEqual(oldest);
  const listed = async (...args: readonly string[]) =>
    (await run([...LIST, '--all', '--columns', 'name', ...args])).stdout.split('\n').slice(1, -1);
  expect(await listed()).toEqual(oldest.toReversed());
  expect(await listed('--kind', 'api')).toEqual(oldest.slice(0, 4).toReversed());
  for (const format of ['--jsonl', '--json']) {
    const { stdout } = await run([...LIST, format]);
    expect(stdout.indexOf('"ERP"')).toBeLessThan(stdout.indexOf('"Sign-in"'));
  }
  expect(await listed('--expiring-within', '9d')).toEqual(['Sign-in', 'Wiki', 'Scale']);
});

test('the table leaves out ended tokens and says so, and lists them if they are asked for', async () => {
  const { run, names } = await givenTokens();
  const listed = async (...args: readonly string[]) => {
    const { stdout, stderr } = await run([...LIST, '--columns', 'name', ...args]);
    return { hasEnded: stdout.includes('Label printer'), stderr };
  };
  const left = { hasEnded: false, stderr: 'Ended tokens are not listed; --all lists them, too.\n' };
  expect(await listed()).toEqual(left);
  expect(await listed('--kind', 'api')).toEqual(left);
  expect(await listed('--creator', 'ada@acme.example')).toEqual({ hasEnded: false, stderr: '' });
  for (const filter of [['--all'], ['--state', 'revoked'], ['--creator-inactive']])
    expect(await listed(...filter)).toEqual({ hasEnded: true, stderr: '' });
  expect(await names([])).toContain('Label printer');
  expect(await listed('--creator', 'gone@acme.example')).toEqual({
    hasEnded: false,
    stderr: 'Nothing matches. Leave out filters to see more.\n',
  });
});

test('if all tokens have ended, the empty table says so', async () => {
  const { run, store, ada } = await givenAda();
  const empty = async () => (await run(LIST)).stderr;
  expect(await empty()).toContain('There are no tokens yet.');
  const { id } = await givenToken(store, ada, { name: 'ERP' });
  await store.tokens.revoke(id, aRevocation(), anEvent());
  expect(await empty()).toBe('All tokens have ended. --all lists them.\n');
});

test('scopes of extensions that were taken away are marked once, beside the list', async () => {
  const { run, store, ada } = await givenTokens();
  expect((await run([...LIST, '--json'])).stderr).toBe('');
  await givenToken(store, ada, { name: 'one', scopes: ['gone:read', 'orgs:read'] });
  await givenToken(store, ada, { name: 'two', scopes: ['gone:read', 'left:read'] });
  for (const format of [[], ['--jsonl'], ['--columns', 'name']]) {
    expect(await run([...LIST, '--all', ...format])).toMatchObject({
      status: 0,
      stderr:
        'These scopes allow nothing: gone:read, left:read. Their extensions are not installed, or their services no longer have them or are not open to the account.\n',
    });
  }
  expect((await run([...LIST, '--all', '--wide'])).stdout).toMatch(/ gone:read left:read /);
  expect((await run([...LIST, '--all', '--quiet'])).stderr).toBe('');
});

test('scopes of services are marked if they allow nothing in the account of their token', async () => {
  const { run, store, ada, acme } = await givenTokens();
  const works = await givenAccount(store, 'Works');
  const eve = await givenUser(store, works.id, { email: 'eve@works.example' });
  await run(['service', 'create', 'stock', '--open-to', String(acme.id)]);
  await run(['service', 'scope', 'add', 'stock:read', '--label', 'Read', '--allows', 'Reading.']);
  await givenToken(store, ada, { name: 'stock', scopes: ['stock:*', 'stock:read'] });
  expect((await run([...LIST, '--all'])).stderr).toBe('');
  await givenToken(store, eve, { name: 'stock', scopes: ['stock:read'] });
  expect((await run([...LIST, '--all'])).stderr).toMatch(/^These scopes allow nothing: stock:read\. /);
  expect((await run([...LIST, '--all', '--as', 'ada@acme.example'])).stderr).toBe('');
  await run(['service', 'delete', 'stock', '--yes']);
  expect((await run([...LIST, '--all'])).stderr).toMatch(
    /^These scopes allow nothing: stock:\*, stock:read\. /,
  );
});

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

test('a search finds the tokens of one account by words, in an order and up to a limit', async () => {
  const { names, run, acme } = await givenTokens();
  const ofAcme = ['--account', String(acme.id)];
  expect(await names(['--search', 'print', ...ofAcme])).toEqual(['Label printer']);
  expect(await names(['--sort', 'name', ...ofAcme])).toEqual(['ERP', 'Scale', 'Label printer']);
  expect(await names(['--sort', 'name', '--limit', '1', ...ofAcme])).toEqual(['ERP']);
  expect(await names(['--search', 'wiki', ...ofAcme])).toEqual([]);
  expect((await run([...LIST, '--search', 'print'])).stderr).toContain('name it by --account or --as');
  const note = async (...args: readonly string[]) => (await run([...LIST, ...ofAcme, ...args])).stderr;
  expect(await note('--search', 'print')).toBe(
    'Nothing matches among active tokens; --all searches ended ones, too.\n',
  );
  expect(await note('--search', 'wiki', '--all')).toBe('Nothing matches. Leave out filters to see more.\n');
});
