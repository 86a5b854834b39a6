import type { Extension } from '@gatehouse/extension-kit';
import type { CliLayer, CommandLine } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { defineCommand } from './described/define-command.ts';
import { refusal } from './errors/refusals.ts';

/** Adds a command of an extension to its resource. */
export function defineExtensionCommand(
  resource: Command,
  cli: Cli,
  extension: Extension,
  command: CliLayer<unknown>['commands'][number],
): void {
  if (typeof command === 'function') command(resource, commandLine(cli, extension));
  else defineCommand(resource, cli, command, (gatehouse) => gatehouse.useCasesOf(extension));
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
    unwrap(result) {
      if (result.ok) return result.value;
      throw refusal(result.error, undefined, extension.refusals);
    },
  };
}
