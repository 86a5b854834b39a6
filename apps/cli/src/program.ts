import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Cli } from './cli.ts';
import type { CommandGroup, LoadedCommands } from './command-groups.ts';
import { addResource } from './described/add-resource.ts';
import { printableError } from './output/printable.ts';
import { markError } from './output/style.ts';

/**
 * Creates the command line: `gatehouse <resource> <verb>`. `printHelp` receives help texts and the version. If the
 * commands of a resource are not loaded, the program has only the name and the summary of the resource. A single
 * command that is not loaded is missing.
 */
export function createProgram(
  cli: Cli,
  printHelp: (text: string) => void,
  groups: readonly CommandGroup[],
  loaded: LoadedCommands,
): Command {
  const { stdout, stderr } = cli.streams;
  const program = new Command('gatehouse')
    .description('Administer Gatehouse, the organization directory and API-token authority.')
    .version(packageJson.version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .showHelpAfterError('Run the command with --help to see its usage.')
    .configureOutput({
      writeOut: printHelp,
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(markError(printableError(text), stderr)),
      getOutHelpWidth: () => stdout.columns ?? 80,
    })
    .addHelpText('after', '\nRun `gatehouse <resource> <verb> --help` for the options of a command.');
  for (const group of groups) {
    const { name, summary } = group;
    const parent = summary === undefined ? program : addResource(program, name, summary);
    for (const define of loaded.get(group) ?? []) define(parent, cli);
  }
  return program;
}
