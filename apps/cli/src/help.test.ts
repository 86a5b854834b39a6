import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { splitShellWords } from './completion/shell-words.ts';
import { examplesOf, leafCommands, pathOf } from './reference/command-tree.ts';
import { definedProgram } from './reference/defined-program.ts';
import { describeCommandLine } from './reference/reference.ts';

const LEAVES = leafCommands(definedProgram()).map(pathOf);

function leafOf(program: Command, path: string): Command {
  return leafCommands(program).find((each) => pathOf(each) === path) ?? expect.fail(path);
}

/** Extracts the part of an example that is for this program, without other shell syntax. */
function callsIn(line: string): readonly (readonly string[])[] {
  const calls = line.matchAll(/(?<=^|[ (])gatehouse ((?:[^|&<>()"']|"[^"]*"|'[^']*')*)/g);
  return [...calls].map(([, words = '']) => {
    const { before, last } = splitShellWords(words.trim());
    return [...before, last];
  });
}

test('all expected commands exist', () => {
  const verbs = (resource: string) =>
    LEAVES.filter((path) => path.startsWith(`gatehouse ${resource}`)).map((path) => path.split(' ').at(-1));
  expect(verbs('account')).toEqual(['create', 'list', 'suspend', 'resume']);
  expect(verbs('user').sort()).toEqual(
    ['create', 'list', 'disable', 'enable', 'set-role', 'set-password'].sort(),
  );
  expect(verbs('org').sort()).toEqual(
    ['create', 'list', 'update', 'delete', 'add-member', 'remove-member'].sort(),
  );
  expect(verbs('token').sort()).toEqual(
    ['create', 'list', 'show', 'revoke', 'rotate', 'inspect', 'watch', 'prune'].sort(),
  );
  expect(verbs('key').sort()).toEqual(
    ['list', 'create', 'activate', 'retire', 'rewrap', 'new-master'].sort(),
  );
  for (const path of ['audit list', 'doctor', 'completion', 'migrate']) {
    expect(LEAVES).toContain(`gatehouse ${path}`);
  }
});

test.each(LEAVES)('%s --help says what it is, and shows an example', async (path) => {
  const { status, stdout, stderr } = await createMemoryCli().run([...path.split(' ').slice(1), '--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/\nExamples?:\n {2}\$ /);
});

test.each(LEAVES)('all of %s is described', (path) => {
  const command = describeCommandLine().commands.find((each) => each.path === path) ?? expect.fail(path);
  for (const { description } of [command, ...command.arguments, ...command.options]) {
    expect(description.length).toBeGreaterThan(4);
  }
});

test.each(LEAVES)('the examples of %s are commands that it takes', async (path) => {
  const lines = examplesOf(leafOf(definedProgram(), path));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const taken: string[] = [];
    for (const words of callsIn(line)) {
      const program = definedProgram();
      for (const command of leafCommands(program)) command.action(() => void taken.push(pathOf(command)));
      await program.parseAsync(words, { from: 'user' });
    }
    expect(taken, line).toContain(path);
  }
});
