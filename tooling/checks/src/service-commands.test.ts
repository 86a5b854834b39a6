import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandBlocksOf } from './documented-commands/command-blocks.ts';
import { locationOf } from './documents.ts';

const REFERENCE = readFileSync(locationOf('docs/administer/cli.md'), 'utf8');

/** Returns the commands of Gatehouse in the blocks and the tables of a page, each as one line. */
function commandsIn(page: string): readonly string[] {
  const inTables = readFileSync(locationOf(page), 'utf8').match(/(?<=\| `)gatehouse [^`]+/g) ?? [];
  const inBlocks = commandBlocksOf(page).flatMap(({ text }) => text.match(/gatehouse [^()\n>]+/g) ?? []);
  return [...inTables, ...inBlocks].map((command) => command.replace(/^gatehouse /, ''));
}

/** Returns the section of the reference about a command: the one with the longest name that the command begins with. */
function sectionOf(command: string): string {
  const titles = [...REFERENCE.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
  const [name] = titles
    .filter((title) => `${command} `.startsWith(`${title} `))
    .toSorted((one, other) => other.length - one.length);
  return name === undefined ? '' : (REFERENCE.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? '');
}

test.each(['docs/administer/services.md', 'docs/use/verify-tokens.md'])(
  'the commands on %s are in the reference, with their options',
  (page) => {
    const commands = commandsIn(page);
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) {
      const section = sectionOf(command);
      expect(section, command).not.toBe('');
      for (const [option] of command.matchAll(/--[a-z-]+/g))
        expect(section, command).toContain(`\`${option}`);
    }
  },
);
