import { Argument, type Command, Option } from 'commander';
import { type InputNames, inWords } from '../errors/refusals.ts';
import { type Parser, parsing } from '../input/parsers.ts';

/** A positional argument. Its key gives its name in the usage: `idOrName` is shown as `<id-or-name>`. */
interface ArgumentDescription {
  readonly description: string;
  /** Default: any text. */
  readonly parser?: Parser<unknown>;
  readonly choices?: readonly string[];
  /** Whether the option may be given more than once. */
  readonly several?: true;
  readonly optional?: true;
  /** Whether the text of the value may begin with a hyphen. */
  readonly hyphen?: true;
}

/** An option, with a value or without one. Its key gives its flag: `dueOn` is `--due-on`. */
interface OptionDescription extends Omit<ArgumentDescription, 'optional' | 'hyphen'> {
  /** The value's name in the usage. Completion knows `id`, `email` and `file`. */
  readonly value?: string;
  readonly required?: true;
  readonly default?: unknown;
  /** The keys of options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
  /** The title of the column that the option filters by. */
  readonly column?: string;
}

export type Arguments = Readonly<Record<string, ArgumentDescription>>;
export type Options = Readonly<Record<string, OptionDescription>>;
export type None = Readonly<Record<never, never>>;

type One<D> = D extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : D extends { readonly parser: Parser<infer Value> }
    ? Value
    : string;

type Given<D> = D extends { readonly several: true } ? readonly One<D>[] : One<D>;

type ArgumentValue<D> = Given<D> | (D extends { readonly optional: true } ? undefined : never);

type OptionValue<D> = D extends { readonly value: string }
  ? Given<D> | (D extends { readonly required: true } | { readonly default: unknown } ? never : undefined)
  : true | undefined;

/** The parsed arguments and options of a command, by their keys. */
export type InputOf<A, O> = { readonly [Name in keyof A]: ArgumentValue<A[Name]> } & {
  readonly [Name in keyof O]: OptionValue<O[Name]>;
};

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
export function optionsOf(described: Options = {}): readonly Option[] {
  return Object.entries(described).map(([name, { value, conflicts, default: byDefault, ...option }]) => {
    const flag = `--${kebab(name)}`;
    const made = new Option(value === undefined ? flag : `${flag} <${value}>`, option.description)
      .makeOptionMandatory(option.required ?? false)
      .conflicts([...(conflicts ?? [])]);
    if (byDefault !== undefined) made.default(byDefault);
    return parsed(made, option);
  });
}

/** Returns the given values by the description's keys. */
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

/** Returns a function that finds the option or argument for a field. Without one, it returns the field in words. */
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
  if (!parser) return value;
  const parse = parsing(parser);
  const gather = (text: string, before: unknown = []) => [...(before as readonly unknown[]), parse(text)];
  value.argParser<unknown>(several ? gather : parse);
  return value;
}

/** `dueOn` is `due-on` on the command line. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
