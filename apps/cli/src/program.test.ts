import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createMemoryCli } from '../testing/memory-cli.ts';
import { REGISTERED } from '../testing/registered.ts';
import { describedCommands, pathOf } from './reference.ts';

const TOKEN = `v4.public.${'eyJqdGkiOiI'.repeat(20)}`;

test.each([
  ['a command', ['\u001b[2J\u009b31mx\r\nerror: done']],
  ['a verb', ['token', 'x\u001b]0;title\u0007']],
  ['an option', ['token', 'list', '--\u001b[2Jjson']],
  ['a choice', ['token', 'create', '--name', 'a', '--as', 'a', '--format', '\u001b[2Jx']],
  ['an argument too many', ['key', 'list', '\u202ex']],
])('control characters in %s are not printed', async (_, args) => {
  const refused = await createMemoryCli().run(args);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(refused.stderr.match(/^error:/gm)).toHaveLength(1);
});

test.each([
  ['as a command', [TOKEN]],
  ['as a verb', ['token', TOKEN]],
  ['as an option', ['token', 'list', `--${TOKEN}`]],
  ['as a value', ['token', 'create', '--name', 'a', '--as', 'a', `--format=${TOKEN}`]],
  ['as an argument', ['token', 'inspect', TOKEN]],
  ['as an id', ['token', 'revoke', TOKEN, '--as', 'x@y', '--yes']],
  ['with spaces and quotes around', ['token', `' ${TOKEN} '`]],
])('a token that was pasted %s is not printed', async (_, args) => {
  const refused = await createMemoryCli().run(args);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).not.toContain(TOKEN.slice(0, 41));
});

test('a suggestion is a line of its own', async () => {
  const { stderr } = await createMemoryCli().run(['tokens']);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    "error: unknown command 'tokens'",
    '(Did you mean token?)',
  ]);
});

test('--version prints the version, and every changing command accepts --yes', async () => {
  expect(await createMemoryCli().run(['--version'])).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
  const reading =
    /(list|show|inspect|export|verify|watch|new-master|doctor|health|completion|provider test)$/;
  for (const command of await describedCommands(REGISTERED)) {
    if (reading.test(pathOf(command))) continue;
    expect(
      command.options.map(({ long }) => long),
      pathOf(command),
    ).toContain('--yes');
  }
});
