import type {
  ArgumentDescription,
  Arguments,
  DescribedCommand,
  InputOf,
  Options,
  SwitchOption,
  ValueOption,
} from '@gatehouse/extension-kit/cli';
import { Argument, type Command, Option } from 'commander';
import { type InputNames, inWords } from '../errors/refusals.ts';
import type { Filters } from '../input/options.ts';
import { parsing } from '../input/parsers.ts';

type Described = Pick<DescribedCommand<unknown>, 'arguments' | 'options'>;

/** Adds the arguments of a described command, and its options. */
export function addValues(
  command: Command,
  { arguments: described = {}, options = {} }: Described,
  { withOptions }: { readonly withOptions: boolean },
): void {
  for (const [name, argument] of Object.entries(described)) {
    command.addArgument(withValues(new Argument(`<${kebab(name)}>`, argument.description), argument));
  }
  if (!withOptions) return;
  for (const [name, option] of Object.entries(options)) command.addOption(optionOf(name, option));
}

/** The options by the columns that show what they filter by. */
export function filtersOf({ options = {} }: Described): Filters {
  const filters: Record<string, Option[]> = {};
  for (const [name, described] of Object.entries(options)) {
    const { column = name } = described;
    filters[column] = [...(filters[column] ?? []), optionOf(name, described)];
  }
  return filters;
}

/** What was given, as the description's keys name it. */
export function inputOf(described: Described, command: Command): InputOf<Arguments, Options> {
  const names = Object.keys(described.arguments ?? {});
  const given = command.opts<Readonly<Record<string, unknown>>>();
  const options = Object.keys(described.options ?? {}).map((name) => [name, given[name]]);
  const values = names.map((name, index) => [name, command.processedArgs[index]]);
  // Commander has parsed them by the same description.
  return Object.fromEntries([...values, ...options]);
}

/** Names the option or argument that a field sets, and without one of its name the field, in words. */
export function inputNamesOf({ options, registeredArguments }: Command): InputNames {
  return (field) => {
    const name = field.replaceAll('_', '-');
    if (options.some(({ long }) => long === `--${name}`)) return `--${name}`;
    return registeredArguments.some((argument) => argument.name() === name) ? `<${name}>` : inWords(field);
  };
}

function optionOf(name: string, described: ValueOption | SwitchOption): Option {
  const flag = `--${kebab(name)}`;
  if (!('value' in described)) return new Option(flag, described.description);
  const option = new Option(`${flag} <${described.value}>`, described.description);
  return withValues(option, described).makeOptionMandatory(described.required ?? false);
}

function withValues<Value extends Argument | Option>(
  value: Value,
  { parser, choices }: ArgumentDescription,
): Value {
  if (choices) value.choices(choices);
  if (parser) value.argParser(parsing(parser));
  return value;
}

/** `dueOn` is `due-on` on the command line. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
