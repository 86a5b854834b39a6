import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import { usageError } from '../errors/command-error.ts';
import { nameOf } from '../output/column.ts';
import { quote } from '../output/printable.ts';
import type { View } from '../output/printer.ts';
import { toAccountId, toActor } from './parsers.ts';

const json = () => new Option('--json', 'Print one JSON document on standard output');
const jsonl = () => new Option('--jsonl', 'Print one JSON object per line');

export const REASON = ['--reason <text>', 'Record why, in the audit log'] as const;

/** What every command has. */
export function outputOptions(command: Command): Command {
  return command.addOption(json()).option('--quiet', 'Print only errors on standard error');
}

/**
 * What every command has that changes something. `--yes` is always accepted, so that scripts need not know which
 * commands ask; the help shows it where a command asks.
 */
export function changeOptions(
  command: Command,
  { asks }: { readonly asks: boolean } = { asks: false },
): Command {
  const yes = new Option('--yes', 'Do not ask for confirmation; required where there is no terminal');
  return outputOptions(command).addOption(asks ? yes : yes.hideHelp());
}

export function listOutputOptions<T>(command: Command, { columns }: View<T>): Command {
  const names = columns.map(nameOf);
  const chosen = new Option(
    '--columns <names>',
    `Show only these columns, in this order: ${names.join(', ')}`,
  );
  return outputOptions(command)
    .addOption(jsonl().conflicts('json'))
    .addOption(chosen.argParser((text) => toColumns(text, names)).conflicts(['json', 'jsonl', 'wide']))
    .addOption(new Option('--wide', 'Show all columns in full').conflicts(['json', 'jsonl']));
}

function toColumns(text: string, names: readonly string[]): readonly string[] {
  const chosen = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined) return chosen;
  throw usageError(`${quote(unknown)} is not a column of this list. The columns are: ${names.join(', ')}.`);
}

export function streamOptions(command: Command): Command {
  return command.addOption(jsonl()).option('--quiet', 'Print only errors on standard error');
}

export function accountOption(description: string): Option {
  return new Option('--account <id>', description).argParser(toAccountId);
}

export function asOption(description: string): Option {
  const option = new Option('--as <email>', description).argParser(toActor);
  // An empty variable is an unset one.
  return process.env.GATEHOUSE_AS === '' ? option : option.env('GATEHOUSE_AS');
}

export function formatOption(otherwise = 'TOKEN_FORMAT'): Option {
  return new Option('--format <format>', `Token format (default: ${otherwise})`).choices(TOKEN_FORMATS);
}
