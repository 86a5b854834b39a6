import { execFileSync } from 'node:child_process';
import { givenAccount, givenOrganization, givenToken, givenUser } from '@gatehouse/domain/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { givenAda } from '../../testing/ada.ts';
import { quoteForBash, splitShellWords } from './shell-words.ts';
import { SHELLS } from './shells.ts';

afterEach(() => vi.unstubAllEnvs());

/** Returns the completions for fish without their descriptions. */
async function completed(cli: Awaited<ReturnType<typeof givenAda>>, ...words: readonly string[]) {
  const { status, stdout, stderr } = await cli.run(['__complete', 'fish', '--', ...words]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [kind, ...lines] = stdout.trimEnd().split('\n');
  return kind === 'files' ? kind : lines.map((line) => line.split('\t', 1)[0]);
}

test('commands are completed in their positions, and hidden ones never', async () => {
  const cli = await givenAda();
  expect(await completed(cli, '')).toEqual(expect.arrayContaining(['token', 'key', 'migrate', 'completion']));
  expect(await completed(cli, '')).not.toContain('__complete');
  expect(await completed(cli, 'to')).toEqual(['token']);
  expect(await completed(cli, 'token', 'sh')).toEqual(['show']);
  expect(await completed(cli, 'nonsense', '')).toEqual([]);
  expect(await completed(cli, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

test('options are completed where they are allowed, and switches only once', async () => {
  const cli = await givenAda();
  expect(await completed(cli, 'key', 'list', '--js')).toEqual(['--json', '--jsonl']);
  expect(await completed(cli, 'key', 'list', '--jsonl', '--js')).toEqual(['--json']);
  expect(await completed(cli, 'key', 'list', '')).toContain('--quiet');
  expect(await completed(cli, 'token', 'create', '--scope', 'orgs:read', '--sc')).toEqual(['--scope']);
  expect(await completed(cli, 'token', 'show', '--', '--')).toEqual([]);
});

test('values are completed by their choices, after the option and within its word', async () => {
  const cli = await givenAda();
  expect(await completed(cli, 'key', 'create', '--format', '')).toEqual(['paseto', 'jwt']);
  expect(await completed(cli, 'key', 'create', '--format=j')).toEqual(['--format=jwt']);
  expect(await completed(cli, 'token', 'create', '--out', 'x')).toBe('files');
  expect(await completed(cli, 'token', 'create', '--name', '')).toEqual([]);
});

test('tokens, users and organizations are completed from the store', async () => {
  const cli = await givenAda();
  const token = await givenToken(cli.store, cli.ada, { name: 'ERP of the works' });
  const press = await givenOrganization(cli.store, cli.acme.id);
  for (const verb of ['show', 'revoke']) {
    expect(await completed(cli, 'token', verb, '')).toEqual(['ERP of the works']);
    expect(await completed(cli, 'token', verb, token.id.slice(0, 9))).toEqual([token.id]);
  }
  expect(await completed(cli, 'token', 'show', '"ERP o')).toEqual(['ERP of the works']);
  expect(await completed(cli, 'token', 'list', '--as=a')).toEqual(['--as=ada@acme.example']);
  expect(await completed(cli, 'org', 'add-member', String(press.id))).toEqual([String(press.id)]);
  expect(await completed(cli, 'org', 'add-member', String(press.id), 'ad')).toEqual(['ada@acme.example']);
  expect(await completed(cli, 'user', 'create', '--email', 'a')).toEqual([]);
  expect(cli.openCount()).toBe(0);
});

test('commands of three words are completed, and services with their scopes and credentials', async () => {
  const cli = await givenAda();
  await cli.run(['service', 'create', 'orders', '--open-to', 'all']);
  await cli.run(['service', 'scope', 'add', 'orders:read', '--label', 'Read', '--allows', 'Reading.']);
  const { stdout } = await cli.run(['service', 'credential', 'create', 'orders', '--json']);
  expect(await completed(cli, 'service', 'sc')).toEqual(['scope']);
  expect(await completed(cli, 'service', 'scope', '')).toEqual(['add', 'remove']);
  expect(await completed(cli, 'service', 'scope', 'add', 'x', '--la')).toEqual(['--label']);
  expect(await completed(cli, 'service', 'show', '')).toEqual(['orders']);
  expect(await completed(cli, 'service', 'create', '')).toEqual([]);
  expect(await completed(cli, 'service', 'scope', 'remove', 'o')).toEqual(['orders:read']);
  const revoke = ['service', 'credential', 'revoke'];
  expect(await completed(cli, ...revoke, '')).toEqual(['orders']);
  expect(await completed(cli, ...revoke, 'orders', '')).toEqual([JSON.parse(stdout).id]);
  expect(cli.openCount()).toBe(0);
});

test('with an admin in the option or the variable, only tokens of the account are completed', async () => {
  const cli = await givenAda();
  const works = await givenAccount(cli.store, 'Works');
  await givenUser(cli.store, works.id, { email: 'eve@works.example' });
  await givenToken(cli.store, cli.ada, { name: 'of Acme' });
  expect(await completed(cli, 'token', 'show', '')).toEqual(['of Acme']);
  expect(await completed(cli, 'token', 'show', '--as', 'eve@works.example', '')).toEqual([]);
  vi.stubEnv('GATEHOUSE_AS', 'eve@works.example');
  expect(await completed(cli, 'token', 'show', '')).toEqual([]);
  expect(await completed(cli, 'token', 'show', '--as=ada@acme.example', '')).toEqual(['of Acme']);
});

test('values with control characters, and those that would be options, are left out', async () => {
  const cli = await givenAda();
  for (const name of ['--yes', 'right\u202eleft', 'good']) await givenToken(cli.store, cli.ada, { name });
  expect(await completed(cli, 'token', 'show', '')).toEqual(['good']);
});

test('every error is silent and completes nothing', async () => {
  const cli = await givenAda();
  await givenToken(cli.store, cli.ada, { name: 'ERP' });
  expect(await completed(cli, 'token', 'show', '--as', 'nobody@acme.example', '')).toEqual([]);
  expect(cli.openCount()).toBe(0);
});

test('bash reads any quoted text as the same text', () => {
  const ascii = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join('');
  const texts = [ascii, ...ascii, '~root', '-n', 'ünï プレス 🏭', '\\\\', "''", 'a\\', '$(echo x)`echo y`'];
  for (const [quoting, close] of [
    ['', ''],
    ["'", "'"],
    ['"', '"'],
  ] as const) {
    const words = texts.map((text) => `${quoting}${quoteForBash(text, quoting)}${close}`);
    const script = `printf '%s\\0' ${words.join(' ')}`;
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: '/' }).split('\0');
    expect(printed.slice(0, -1)).toEqual(texts);
    expect(splitShellWords(words.join(' ')).last).toBe(texts.at(-1));
  }
});

test('a script contains the program’s path, whatever characters it has', () => {
  expect(SHELLS.bash.script("/o'b")).toContain("'/o'\\''b'");
  expect(SHELLS.zsh.script("/o'b")).toContain("'/o'\\''b'");
  expect(SHELLS.fish.script("/o'b\\")).toContain("'/o\\'b\\\\'");
});
