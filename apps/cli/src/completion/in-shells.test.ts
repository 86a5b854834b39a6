import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sized } from '@gatehouse/fault-figures';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { anInstallation } from '../../testing/people.ts';
import { runHere } from '../../testing/run-here.ts';
import { isInstalled, openShell, SHELL_NAMES, type ShellName } from '../../testing/shell.ts';
import type { Terminal } from '../../testing/terminal.ts';

const TAB = '\t';

/** Names that a shell would change unless they are quoted. Each has another beginning. */
const HOSTILE = [
  'n1 two words:colon=equals@at,comma%',
  'n2"double "quoted" \'single',
  'n3$(touch PWNED)`touch PWNED`$HOME',
  'n4\\back\\\\slash\\ !history !!',
  'n5;touch PWNED|x&y>z<w(v)*?[glob]{a,b}~#',
  'n6 ünï プレス 🏭',
].map((name) => `${name}end`);

const { settings, drop } = await anInstallation();
afterAll(drop);

let id: string;
for (const name of [...HOSTILE, '--yes', 'nd\u202etouch']) {
  const { status, stdout } = await runHere(settings, ['token', 'create', '--json', `--name=${name}`]);
  expect(status).toBe(0);
  id = JSON.parse(stdout).id;
}

async function open(shell: ShellName) {
  const terminal = await openShell(shell, settings);
  onTestFinished(async () => {
    terminal.kill('SIGKILL');
    await terminal.ended;
  });
  return terminal;
}

/**
 * Types the text and presses the key, again if nothing was completed, because on a busy machine the program gives up.
 * It waits for that, because a second press during the first completion would complete the next word, too.
 */
async function complete(terminal: Terminal, typed: string, shows: string): Promise<void> {
  const from = terminal.shown().length + typed.length;
  const isShown = () => terminal.shown().indexOf(shows, from) >= 0;
  terminal.type(typed);
  for (let attempt = 0; attempt < 10 && !isShown(); attempt += 1) {
    terminal.type(TAB);
    await vi.waitUntil(isShown, { timeout: 10_000 }).catch(() => undefined);
  }
  expect(isShown(), `${typed}: ${terminal.shown().slice(from)}`).toBe(true);
}

/** Returns the program's arguments when the line is executed. */
async function sendOff(terminal: Terminal): Promise<string> {
  const from = terminal.shown().length;
  terminal.type('\r');
  await terminal.shows('>END');
  await terminal.shows('ready> ');
  return /(<[^\r\n]*>)END\r?\n/.exec(terminal.shown().slice(from))?.[1] ?? '';
}

/** The beginnings of a word. The program quotes only for bash. */
const QUOTES = { bash: ['', '"', "'"], zsh: ['', '"'], fish: ['', '"'] } as const;

/**
 * Each name after each beginning takes many programs. A run without `FAULTS_SIZE=full` takes one beginning for each
 * name, in turns.
 */
const TURN = Math.floor(Math.random() * 6);
const quotesFor = (shell: ShellName, name: number): readonly string[] =>
  sized<readonly string[]>({
    short: QUOTES[shell].filter((_, index, all) => (name + TURN) % all.length === index),
    full: QUOTES[shell],
  });

const asArguments = (...words: readonly string[]) => words.map((word) => `<${word}>`).join('');

for (const shell of SHELL_NAMES) {
  const installed = isInstalled(shell);
  if (!installed) process.stderr.write(`Completion in ${shell} is NOT TESTED: ${shell} is not installed.\n`);

  describe.skipIf(!installed)(`in ${shell}`, () => {
    test('the command is completed by its path, too', async () => {
      const terminal = await open(shell);
      const file = join(terminal.cwd, 'gatehouse');
      await writeFile(file, `#!/bin/sh\nprintf '<%s>' "$@"; echo END\n`, { mode: 0o755 });
      await complete(terminal, './gatehouse token revo', 'ke');
      expect(await sendOff(terminal)).toBe(asArguments('token', 'revoke'));
    });

    test('commands, options, choices, ids and emails are completed', async () => {
      const terminal = await open(shell);
      const lines: readonly (readonly [string, string, readonly string[]])[] = [
        ['gatehouse tok', 'token', ['token']],
        ['gatehouse token revo', 'revoke', ['token', 'revoke']],
        ['gatehouse token create --form', '--format', ['token', 'create', '--format']],
        ['gatehouse token create --format pas', 'paseto', ['token', 'create', '--format', 'paseto']],
        ['gatehouse token create --format=jw', 'jwt', ['token', 'create', '--format=jwt']],
        ['gatehouse token list --as ad', 'ada@acme.example', ['token', 'list', '--as', 'ada@acme.example']],
        ['gatehouse user list --account ', '1', ['user', 'list', '--account', '1']],
        [`gatehouse token show ${id.slice(0, -1)}`, id.slice(-1), ['token', 'show', id]],
      ];
      for (const [typed, shows, given] of lines) {
        const begun = /[^\s=]*$/.exec(typed)?.[0] ?? '';
        await complete(terminal, typed, shows.startsWith(begun) ? shows.slice(begun.length) : shows);
        expect(await sendOff(terminal)).toBe(asArguments(...given));
      }
    });

    test('a name is completed unchanged and not evaluated', async () => {
      const terminal = await open(shell);
      for (const [index, name] of HOSTILE.entries()) {
        for (const quote of quotesFor(shell, index)) {
          await complete(terminal, `gatehouse token show ${quote}${name.slice(0, 2)}`, 'end');
          expect(await sendOff(terminal), `after ${quote}`).toBe(asArguments('token', 'show', name));
        }
      }
      expect(await readdir(terminal.cwd)).not.toContain('PWNED');
    });
  });
}
