import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { callsIn } from '../testing/calls.ts';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { REGISTERED } from '../testing/registered.ts';
import { describedCommands, helpOf, pathOf } from './reference.ts';

const COMMANDS = (await describedCommands(REGISTERED)).map((command): readonly [string, Command] => [
  pathOf(command),
  command,
]);

test.each(COMMANDS)('%s --help says what it is, and shows an example', async (path) => {
  const { status, stdout, stderr } = await createMemoryCli({ extensions: REGISTERED }).run([
    ...path.split(' ').slice(1),
    '--help',
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/\nExamples?:\n {2}\$ /);
});

test.each(COMMANDS)('all of %s is described', (_, command) => {
  for (const { description } of [...command.registeredArguments, ...command.options]) {
    expect(description.length).toBeGreaterThan(4);
  }
  expect(command.description().length).toBeGreaterThan(4);
});

test.each(COMMANDS)('the examples of %s are commands that it takes', async (path, command) => {
  for (const line of helpOf(command).examples) {
    const taken: string[] = [];
    for (const words of callsIn(line)) {
      const commands = await describedCommands(REGISTERED);
      for (const each of commands) each.action(() => void taken.push(pathOf(each)));
      await commands.map(programOf)[0]?.parseAsync(words, { from: 'user' });
    }
    expect(taken, line).toContain(path);
  }
});

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}
