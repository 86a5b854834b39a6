import type { Extension } from '@gatehouse/extension-kit';
import type { CliLayer, CommandLine } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { wordsBeforeCursor } from './commands/completion.ts';
import { defineCommand } from './described/define-command.ts';
import { inWords, unwrapWith } from './errors/refusals.ts';

type Commands = CliLayer<unknown>['commands'];

/** The commands of extensions that were loaded. */
export type LoadedCommands = ReadonlyMap<Extension, Commands>;

/** Loads the commands of the extension that is called, or whose command is being completed; no other's. */
export async function loadCommands(
  extensions: readonly Extension[],
  args: readonly string[],
): Promise<LoadedCommands> {
  const completed = wordsBeforeCursor(args);
  const called = calledResource(completed ?? args);
  const loading = loadAllCommands(extensions.filter(({ command }) => command?.name === called));
  // Completion is silent about faults.
  return completed ? loading.catch(() => new Map()) : loading;
}

export async function loadAllCommands(extensions: readonly Extension[]): Promise<LoadedCommands> {
  return new Map(await Promise.all(extensions.map(commandsOf)));
}

async function commandsOf(extension: Extension): Promise<readonly [Extension, Commands]> {
  return [extension, (await extension.cli?.())?.commands ?? []];
}

/** The first word that is no option; after `help`, the second. */
function calledResource(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/** Adds the commands of an extension to its resource. */
export function addExtensionCommands(
  resource: Command,
  cli: Cli,
  extension: Extension,
  commands: Commands,
): void {
  for (const command of commands) {
    if (typeof command === 'function') command(resource, commandLine(cli, extension));
    else defineCommand(resource, cli, command, (gatehouse) => gatehouse.useCasesOf(extension));
  }
}

function commandLine(cli: Cli, extension: Extension): CommandLine<unknown> {
  const { streams, signal, operator } = cli;
  return {
    streams,
    signal,
    operator,
    async open() {
      await using opened = new AsyncDisposableStack();
      const useCases = await opened.use(await cli.open()).useCasesOf(extension);
      return Object.assign(opened.move(), { useCases });
    },
    unwrap: (result) => unwrapWith(extension.refusals ?? {}, result, inWords),
  };
}
