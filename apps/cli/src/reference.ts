import { CATALOG } from '@gatehouse/extensions';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { createProgram } from './program.ts';

export { EXIT, EXIT_MEANINGS } from './errors/exit-status.ts';
export { helpOf } from './input/help.ts';

/** What defining the commands needs; running one would need more. */
const UNUSED: Partial<Cli> = { streams: process, catalog: CATALOG };

/** Returns all commands, as defined; they cannot be run. */
export function describedCommands(): readonly Command[] {
  return leafCommands(createProgram(UNUSED as Cli, () => undefined));
}

/** Returns the commands without subcommands, except hidden ones and commander's own `help`. */
function leafCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  const ours = visible.filter((each) => each.name() !== 'help');
  return ours.length === 0 ? [command] : ours.flatMap(leafCommands);
}

/** Such as `gatehouse token list`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
