import type { Command } from 'commander';

/** Returns the commands without subcommands, except hidden ones. */
export function leafCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command).filter(isOurs);
  return visible.length === 0 ? [command] : visible.flatMap(leafCommands);
}

/** Excludes commander's own `help`. */
function isOurs(command: Command): boolean {
  return command.name() !== 'help';
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Returns the help of a command after its options. */
export function epilogueOf(command: Command): string {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut }).outputHelp();
  return help.slice(command.helpInformation().length).trim();
}

/** Returns the examples in the help of a command, one command line each. */
export function examplesOf(command: Command): readonly string[] {
  return [...epilogueOf(command).matchAll(/^ *\$ (.+)$/gm)].map(([, line = '']) => line);
}
