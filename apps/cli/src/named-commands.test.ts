import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REGISTERED } from '../testing/registered.ts';
import { describedCommands, pathOf } from './reference.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources, whose messages operators read, and the pages. */
const SOURCES = globSync(['{apps,packages}/*/src/**/*.ts', 'docs/**/*.md', '*.md'], { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('docs/extend'),
);

/** A call between backticks, escaped ones of template strings among them. */
const CALL = /\\?`(?:\.\/|\S+\/)?gatehouse ((?:[a-z][a-z-]*)(?: [^`\\\n]*)?)\\?`/g;

/** The name of a connection in `pg_stat_activity`. */
const NO_COMMAND = 'address probe';

const NAMED = SOURCES.flatMap((file) =>
  [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(CALL)].map(([, call = '']): [string, string] => [
    file,
    call,
  ]),
);

const CALLS = NAMED.filter(([, call]) => call !== NO_COMMAND);

const COMMANDS = new Map(
  (await describedCommands(REGISTERED)).map((command) => [
    pathOf(command).replace(/^gatehouse ?/, ''),
    command,
  ]),
);

test('messages and pages name commands', () => {
  expect(CALLS.length).toBeGreaterThan(40);
});

test.each(CALLS)('%s: gatehouse %s is a command, with options that it has', (_, call) => {
  const words = call.split(' ');
  const path = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((each) => COMMANDS.has(each));
  const command =
    COMMANDS.get(path ?? '') ?? expect.fail(`there is no command ${words.slice(0, 2).join(' ')}`);
  const known = ['--help', '--version'];
  for (let each: typeof command | null = command; each; each = each.parent)
    known.push(...each.options.map(({ long }) => long ?? ''));
  const options = call.match(/(?<=\s)--[a-z][a-z-]*/g) ?? [];
  expect(known).toEqual(expect.arrayContaining(options));
});
