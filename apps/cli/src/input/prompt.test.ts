import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Cli } from '../cli.ts';
import * as account from '../commands/account.ts';
import * as audit from '../commands/audit.ts';
import * as key from '../commands/key.ts';
import * as migrate from '../commands/migrate.ts';
import * as org from '../commands/org.ts';
import * as token from '../commands/token.ts';
import * as user from '../commands/user.ts';
import { askForLine, askForSecret, askToConfirm } from './prompt.ts';

/** All that is asked for a yes. */
const CONFIRMED = [account, audit, key, migrate, org, token, user]
  .flatMap(({ commands }) => commands)
  .flatMap((each) => (typeof each === 'function' || 'commands' in each ? [] : (each.asks ?? [])))
  .flatMap(({ question, plural }) => (plural === undefined ? [question] : [question, plural]));

const TYPED = [
  'New owner of the API tokens, or "each" (leave empty to revoke them):',
  'Service account 12: email of the next responsible admin, "disable" or "leave":',
  'Password (at least 12 characters):',
  'Repeat the password:',
  'Token (not shown):',
];

const PROBLEM =
  'This is neither another active admin nor a service account: type the email of an admin, the id of a service account, or leave it empty to revoke';

const ENTER = '\r';

// Escape sequences begin with a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are moved by them
const MOVES = /\r?\n|\u001b\[\d*[A-GJK]/;

/** Asks at a terminal of so many columns, and types the keys once all before is shown. Returns the lines shown. */
async function shownAt(
  columns: number,
  ask: (cli: Cli) => Promise<unknown>,
  ...answers: readonly { readonly after: string; readonly keys: string }[]
): Promise<readonly string[]> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  let sent = '';
  stderr.on('data', (data) => {
    sent += data;
  });
  // A prompt moves the cursor and writes again; each part of a line is looked at by itself.
  const shown = () => sent.split(MOVES).map(stripVTControlCharacters);
  const streams = { stdin, stderr, stdout: new PassThrough() };
  // A prompt uses nothing else of the command line.
  const answered = ask({ streams, signal: new AbortController().signal } as unknown as Cli);
  for (const { after, keys } of answers) {
    await expect.poll(() => wordsIn(shown())).toContain(after);
    stdin.write(keys);
  }
  await answered;
  return shown();
}

function wordsIn(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word !== '')
    .join(' ');
}

const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));

test('many questions are known here', () => {
  expect(CONFIRMED.length).toBeGreaterThanOrEqual(12);
});

describe.each([80, 40])('at a terminal of %i columns no word is broken', (columns) => {
  test.each(CONFIRMED)('in the question: %s', async (question) => {
    const asked = `${question} (y/N)`;
    const lines = await shownAt(columns, (cli) => askToConfirm(cli, question), { after: asked, keys: ENTER });
    expect(longest(lines)).toBeLessThanOrEqual(columns);
  });

  test.each(TYPED)('in what is to be typed: %s', async (message) => {
    for (const ask of [askForLine, askForSecret]) {
      const answer = { after: message, keys: `x${ENTER}` };
      const lines = await shownAt(columns, (cli) => ask(cli, message, () => undefined), answer);
      expect(longest(lines)).toBeLessThanOrEqual(columns);
    }
  });

  test('in what is wrong with what was typed', async () => {
    const check = (typed: string) => (typed === 'x' ? PROBLEM : undefined);
    const answers = [
      { after: 'What?', keys: `x${ENTER}` },
      { after: PROBLEM, keys: `y${ENTER}` },
    ];
    const lines = await shownAt(columns, (cli) => askForLine(cli, 'What?', check), ...answers);
    expect(longest(lines)).toBeLessThanOrEqual(columns);
  });
});
