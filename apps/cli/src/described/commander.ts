import type { ArgumentDescription, Arguments, InputOf, Options } from '@gatehouse/extension-kit/cli';
import { Argument, type Command, Option } from 'commander';
import { usageError } from '../errors/command-error.ts';
import { type InputNames, inWords } from '../errors/refusals.ts';
import { ACTOR, parsing } from '../input/parsers.ts';
import { nameOf } from '../output/layout.ts';
import { quote } from '../output/printable.ts';
import { wrap } from '../output/wrap.ts';
import type { Description, Prints } from './description.ts';

/** Adds all options of a command and its help. */
export function addOptions<UseCases>(command: Command, description: Description<UseCases>): void {
  const { as, options, asks, notes = [], examples } = description;
  addHelp(command, { notes, examples });
  const acting = as ? [asOption(as.description)] : [];
  const output = outputOptions(printedBy(description), asks !== undefined);
  for (const option of [...acting, ...optionsOf(options), ...output]) command.addOption(option);
}

function printedBy<UseCases>(description: Description<UseCases>): Prints {
  if (description.kind === 'list') return description.view;
  return description.kind === 'change' || description.kind === 'item' ? description.kind : description.prints;
}

/** Returns the titles of the columns that the given options of a list filter by. */
export function filteredColumns(
  options: Options = {},
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) =>
    given[name] === undefined || 'default' in option ? [] : [option.column ?? name],
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
  if (prints === 'change' || asks) {
    // Every command that changes something accepts `--yes`, so that scripts need not know which commands ask.
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

/** Adds the arguments of a command. */
export function addArguments(command: Command, described: Arguments = {}): void {
  for (const [name, argument] of Object.entries(described)) {
    const { several, optional, description } = argument;
    const shown = kebab(name) + (several ? '...' : '');
    command.addArgument(parsed(new Argument(optional ? `[${shown}]` : `<${shown}>`, description), argument));
    if (argument.hyphen) command.allowUnknownOption();
  }
}

/** Makes the options of a command. */
function optionsOf(described: Options = {}): readonly Option[] {
  return Object.entries(described).map(([name, option]) => {
    const valued = 'value' in option ? option : undefined;
    const made = new Option(`--${kebab(name)}${valued ? ` <${valued.value}>` : ''}`, option.description)
      .makeOptionMandatory(valued?.required ?? false)
      .conflicts([...(option.conflicts ?? [])]);
    if (valued?.default !== undefined) made.default(valued.default);
    return valued ? parsed(made, valued) : made;
  });
}

/** Returns the arguments and options that the user gave, parsed, by their keys in the description. */
export function inputOf(
  { arguments: described = {}, options = {} }: { readonly arguments?: Arguments; readonly options?: Options },
  command: Command,
): InputOf<Arguments, Options> {
  const given = command.opts<Readonly<Record<string, unknown>>>();
  // The types are safe, because Commander parsed the values by the same description.
  return Object.fromEntries([
    ...Object.keys(described).map((name, index) => [name, command.processedArgs[index]]),
    ...Object.keys(options).map((name) => [name, given[name]]),
  ]);
}

/**
 * Returns a function that names the option or argument for a field of the domain, such as `--name`. If there is none,
 * the function returns the field in words.
 */
export function inputNamesOf({ options, registeredArguments }: Command): InputNames {
  return (field) => {
    const name = field.replaceAll('_', '-');
    if (options.some(({ long }) => long === `--${name}`)) return `--${name}`;
    return registeredArguments.some((argument) => argument.name() === name) ? `<${name}>` : inWords(field);
  };
}

function parsed<Value extends Argument | Option>(
  value: Value,
  { parser, choices, several }: Pick<ArgumentDescription, 'parser' | 'choices' | 'several'>,
): Value {
  if (choices) value.choices(choices);
  if (!parser && (choices || !several)) return value;
  const parse: (text: string) => unknown = parser ? parsing(parser) : String;
  const gather = (text: string, before: unknown = []) => [...(before as readonly unknown[]), parse(text)];
  value.argParser<unknown>(several ? gather : parse);
  return value;
}

/** `dueOn` is `due-on` on the command line. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The end of a command's help: paragraphs, then examples, each one command line. */
interface Help {
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
}

const HELPS = new WeakMap<Command, Help>();

export function helpOf(command: Command): Help {
  return HELPS.get(command) ?? { examples: [''] };
}

function addHelp(command: Command, help: Help): void {
  HELPS.set(command, help);
  const { notes = [], examples } = help;
  command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.();
    const title = examples.length > 1 ? 'Examples' : 'Example';
    return [
      '',
      ...notes.flatMap((note) => [wrap(note, width), '']),
      `${title}:`,
      ...examples.map((line) => `  $ ${line}`),
      '',
    ].join('\n');
  });
}
