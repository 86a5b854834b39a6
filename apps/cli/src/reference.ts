import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';
import { EXTENSIONS } from '@gatehouse/extensions';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { commandGroups, loadAll } from './command-groups.ts';
import { createProgram } from './program.ts';

export { helpOf } from './described/commander.ts';
export { EXIT, EXIT_MEANINGS } from './errors/exit-status.ts';

/** Returns all commands, including those of the extensions, for documents and tests. The commands cannot be run. */
export async function describedCommands(
  extensions: readonly Extension[] = EXTENSIONS,
): Promise<readonly Command[]> {
  // Defining commands needs only these properties of `Cli`. Running a command would need all of them.
  const catalog = createCatalog([...BUILT_IN, ...extensions]);
  const unused: Partial<Cli> = { streams: process, catalog, extensions };
  const groups = commandGroups(extensions);
  return leafCommands(createProgram(unused as Cli, () => undefined, groups, await loadAll(groups)));
}

/** Returns the commands without subcommands, except hidden ones and commander's own `help`. */
function leafCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  const ours = visible.filter((each) => each.name() !== 'help');
  return ours.length === 0 ? [command] : ours.flatMap(leafCommands);
}

/** Returns the words of a command, such as `gatehouse token list`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
