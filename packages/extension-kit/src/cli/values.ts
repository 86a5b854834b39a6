import { parseAccountId } from '@gatehouse/domain/accounts';
import { parseOrganizationId } from '@gatehouse/domain/organizations';

/** Parses the text of an argument or an option. */
export interface Parser<T> {
  /** The end of an error message such as `"x" is not a whole number from 1`, after the words `is not`. */
  readonly expected: string | ((text: string) => string);
  /** Returns undefined if the text is not a valid value. */
  parse(text: string): T | undefined;
}

interface ValueDescription {
  readonly description: string;
  /** Default: any text. */
  readonly parser?: Parser<unknown>;
  readonly choices?: readonly string[];
  /** The argument or option may be given more than once, and its value is an array. */
  readonly several?: true;
}

/** An argument of a command. Its key is its name in the usage: `idOrName` is shown as `<id-or-name>`. */
export interface ArgumentDescription extends ValueDescription {
  readonly optional?: true;
  /** The text may begin with a hyphen. Default: such a text is parsed as an option. */
  readonly hyphen?: true;
}

/** An option with a value. Its key determines its flag: `dueOn` becomes `--due-on`. */
export interface ValueOption extends ValueDescription {
  /** The value's name in the usage. In a shell, values with the names `id`, `email` and `file` are completed. */
  readonly value: string;
  readonly required?: true;
  readonly default?: unknown;
  /** The title of the list's column that shows the values that the option filters by. */
  readonly column?: string;
  /** The keys of options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
}

/** An option without a value. */
export interface SwitchOption {
  readonly description: string;
  readonly column?: string;
  readonly conflicts?: readonly string[];
}

export type Arguments = Readonly<Record<string, ArgumentDescription>>;
export type Options = Readonly<Record<string, ValueOption | SwitchOption>>;

type One<D> = D extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : D extends { readonly parser: Parser<infer T> }
    ? T
    : string;

type ValueOf<D> = D extends { readonly several: true } ? readonly One<D>[] : One<D>;

type ArgumentValue<D> = ValueOf<D> | (D extends { readonly optional: true } ? undefined : never);

type OptionValue<D> = D extends { readonly value: string }
  ? ValueOf<D> | (D extends { readonly required: true } | { readonly default: unknown } ? never : undefined)
  : true | undefined;

/** The parsed arguments and options of a command, by their keys. */
export type InputOf<A, O> = { readonly [Name in keyof A]: ArgumentValue<A[Name]> } & {
  readonly [Name in keyof O]: OptionValue<O[Name]>;
};

export const A_NUMBER = 'a whole number from 1 to 9007199254740991, such as 42';

/** Describes a parser, keeping the type of its values. */
export function parserOf<T>(parse: Parser<T>['parse'], expected: Parser<T>['expected']): Parser<T> {
  return { parse, expected };
}

export const ACCOUNT_ID = parserOf(parseAccountId, `an account's id: ${A_NUMBER}`);

export const ORGANIZATION_ID = parserOf(parseOrganizationId, `an organization's id: ${A_NUMBER}`);
