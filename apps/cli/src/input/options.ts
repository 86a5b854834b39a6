import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import type { View } from '@gatehouse/extension-kit/cli';
import { type Command, Option } from 'commander';
import { usageError } from '../errors/command-error.ts';
import { nameOf } from '../output/column.ts';
import { quote } from '../output/printable.ts';
import type { OutputOptions } from '../output/view.ts';
import { describe, type Help } from './help.ts';
import { toAccountId, toActor } from './parsers.ts';

const json = () => new Option('--json', 'Print one JSON document on standard output');
const jsonl = () => new Option('--jsonl', 'Print one JSON object per line');

export const REASON = ['--reason <text>', 'Record why, in the audit log'] as const;

/** The options of every command. */
export function outputOptions(command: Command, help: Help): Command {
  return describe(command, help).addOption(json()).option('--quiet', 'Print only errors on standard error');
}

/** Options of commands that change something; those that ask for a reason add `REASON`. */
export interface ChangeOptions extends OutputOptions {
  readonly reason?: string;
  readonly yes?: true;
}

/**
 * The options of every command that changes something. `--yes` is always accepted, so that scripts need not know which
 * commands ask; the help shows it where a command asks.
 */
export function changeOptions(command: Command, help: Help & { readonly asks?: true }): Command {
  const yes = new Option('--yes', 'Do not ask for confirmation; required where there is no terminal');
  return outputOptions(command, help).addOption(help.asks ? yes : yes.hideHelp());
}

/** The options that filter a list, by the title of the column that shows what they filter by, or any name if none does. */
export type Filters = Readonly<Record<string, readonly Option[]>>;

export function listOptions<T>(
  command: Command,
  { columns }: View<T>,
  { filters = {}, ...help }: Help & { readonly filters?: Filters },
): void {
  const names = columns.map(nameOf);
  const chosen = new Option(
    '--columns <names>',
    `Show only these columns, in this order: ${names.join(', ')}`,
  );
  outputOptions(command, help)
    .addOption(jsonl().conflicts('json'))
    .addOption(chosen.argParser((text) => toColumns(text, names)).conflicts(['json', 'jsonl', 'wide']))
    .addOption(new Option('--wide', 'Show all columns in full').conflicts(['json', 'jsonl']));
  for (const option of Object.values(filters).flat()) command.addOption(option);
}

/** The columns that show what these options filter by. */
export function filteredColumns(filters: Filters, options: object): readonly string[] {
  const isUsed = (option: Option) => option.attributeName() in options;
  return Object.keys(filters).filter((column) => filters[column]?.some(isUsed));
}

function toColumns(text: string, names: readonly string[]): readonly string[] {
  const chosen = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined) return chosen;
  throw usageError(`${quote(unknown)} is not a column of this list. The columns are: ${names.join(', ')}.`);
}

export function streamOptions(command: Command, help: Help): Command {
  return describe(command, help).addOption(jsonl()).option('--quiet', 'Print only errors on standard error');
}

/** Options of commands that act, or read, as an admin. */
export interface ActingOptions extends OutputOptions {
  readonly as?: string;
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
