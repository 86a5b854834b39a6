import type { Command } from 'commander';

/** The commands that do something, with the words they are called by; those of no concern to people are left out. */
export function leafCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command).filter(isOurs);
  return visible.length === 0 ? [command] : visible.flatMap(leafCommands);
}

/** Commander has a `help` of its own. */
function isOurs(command: Command): boolean {
  return command.name() !== 'help';
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** What its help says after the options. */
export function epilogueOf(command: Command): string {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut }).outputHelp();
  return help.slice(command.helpInformation().length).trim();
}

/** The examples of its help, one command line each. */
export function examplesOf(command: Command): readonly string[] {
  return [...epilogueOf(command).matchAll(/^ *\$ (.+)$/gm)].map(([, line = '']) => line);
}
