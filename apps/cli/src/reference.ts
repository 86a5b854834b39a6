import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { createProgram } from './program.ts';

export { EXIT, EXIT_MEANINGS } from './errors/exit-status.ts';
export { helpOf } from './input/help.ts';

const unused = () => {
  throw new Error('this program is only described');
};

const UNUSED: Cli = {
  streams: process,
  signal: AbortSignal.abort(),
  operator: { kind: 'operator', name: '', origin: '' },
  path: '',
  defaultFormat: unused,
  open: unused,
  openAsItIs: unused,
  peek: unused,
  migrate: unused,
};

/** Returns all commands, as defined; they cannot be run. */
export function describedCommands(): readonly Command[] {
  return leafCommands(createProgram(UNUSED, unused));
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
