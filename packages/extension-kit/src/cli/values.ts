import { parseAccountId } from '@gatehouse/domain/accounts';
import { parseOrganizationId } from '@gatehouse/domain/organizations';

/** Parses the text of an argument or an option. */
export interface Parser<T> {
  /** The end of the message "... is not", such as "a whole number from 1". */
  readonly expected: string;
  /** Returns undefined if the text is not a valid value. */
  parse(text: string): T | undefined;
}

/** An argument of a command. Its key is its name in the usage. */
export interface ArgumentDescription {
  readonly description: string;
  /** Default: any text. */
  readonly parser?: Parser<unknown>;
  readonly choices?: readonly string[];
}

/** An option with a value. Its key determines its flag: `dueOn` becomes `--due-on`. Values named `id` are completed. */
export interface ValueOption extends ArgumentDescription {
  /** The value's name in the usage. */
  readonly value: string;
  readonly required?: true;
  /** The title of the column that the option filters by. */
  readonly column?: string;
}

/** An option without a value. */
export interface SwitchOption {
  readonly description: string;
  readonly column?: string;
}

export type Arguments = Readonly<Record<string, ArgumentDescription>>;
export type Options = Readonly<Record<string, ValueOption | SwitchOption>>;

type ValueOf<D> = D extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : D extends { readonly parser: Parser<infer T> }
    ? T
    : string;

type OptionValue<D> = D extends { readonly value: string }
  ? ValueOf<D> | (D extends { readonly required: true } ? never : undefined)
  : true | undefined;

/** The parsed arguments and options of a command, by their keys. */
export type InputOf<A, O> = { readonly [Name in keyof A]: ValueOf<A[Name]> } & {
  readonly [Name in keyof O]: OptionValue<O[Name]>;
};

export const A_NUMBER = 'a whole number from 1 to 9007199254740991, such as 42';

/** Describes a parser, keeping the type of its values. */
export function parserOf<T>(parse: (text: string) => T | undefined, expected: string): Parser<T> {
  return { parse, expected };
}

export const ACCOUNT_ID = parserOf(parseAccountId, `an account's id: ${A_NUMBER}`);

export const ORGANIZATION_ID = parserOf(parseOrganizationId, `an organization's id: ${A_NUMBER}`);
