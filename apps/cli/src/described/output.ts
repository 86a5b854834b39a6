import { type Command, Option } from 'commander';
import { usageError } from '../errors/command-error.ts';
import { describe } from '../input/help.ts';
import { ACTOR, parsing } from '../input/parsers.ts';
import { nameOf } from '../output/column.ts';
import { quote } from '../output/printable.ts';
import type { Description, Prints } from './description.ts';
import { type Options, optionsOf } from './input.ts';

/** Adds all options of a command and its help. */
export function addOptions<UseCases>(command: Command, description: Description<UseCases>): void {
  const { as, options, asks, notes = [], examples } = description;
  describe(command, { notes, examples });
  const acting = as ? [asOption(as.description)] : [];
  const output = outputOptions(description.prints, asks !== undefined);
  for (const option of [...acting, ...optionsOf(options), ...output]) command.addOption(option);
}

/** The columns that show what these options filter by. */
export function filteredColumns(
  options: Options = {},
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) =>
    given[name] === undefined || option.default !== undefined ? [] : [option.column ?? name],
  );
}

function asOption(description: string): Option {
  const option = new Option('--as <email>', description).argParser(parsing(ACTOR.parser));
  // An empty variable counts as unset.
  return process.env.GATEHOUSE_AS === '' ? option : option.env('GATEHOUSE_AS');
}

function* outputOptions(prints: Prints, asks: boolean): Generator<Option> {
  if (prints === 'script') return;
  if (prints !== 'stream' && prints !== 'notes') {
    yield new Option('--json', 'Print one JSON document on standard output');
  }
  yield new Option('--quiet', 'Print only errors on standard error');
  const jsonl = new Option('--jsonl', 'Print one JSON object per line');
  if (prints === 'stream') yield jsonl;
  if (typeof prints === 'object') {
    yield jsonl.conflicts('json');
    yield columnsOption(prints.columns.map(nameOf));
    yield new Option('--wide', 'Show all columns in full').conflicts(['json', 'jsonl']);
  }
  if (prints === 'change') {
    // `--yes` is always accepted, so that scripts need not know which commands ask.
    yield new Option('--yes', 'Do not ask for confirmation; required where there is no terminal').hideHelp(
      !asks,
    );
  }
}

function columnsOption(names: readonly string[]): Option {
  const described = `Show only these columns, in this order: ${names.join(', ')}`;
  return new Option('--columns <names>', described).conflicts(['json', 'jsonl', 'wide']).argParser((text) => {
    const chosen = text.split(',').map((name) => name.trim().toLowerCase());
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown === undefined) return chosen;
    throw usageError(`${quote(unknown)} is not a column of this list. The columns are: ${names.join(', ')}.`);
  });
}
