import type { Pages } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import type { Refusal } from '@gatehouse/extension-kit';
import type {
  Arguments,
  ChangeReport,
  CommandCaller,
  CommandParts,
  InputOf,
  ItemCommand,
  Options,
  Outcome,
  Question,
  View,
} from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse, Need } from '../cli.ts';
import type { Confirm } from '../input/consent.ts';
import type { Printer } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';

/** The functions with which a command asks and prints. */
export interface Tools {
  readonly cli: Cli;
  readonly command: Command;
  readonly output: OutputOptions;
  readonly printer: Printer;
  /**
   * Prints the lines that the question is about, such as what will be deleted, and asks the question. Does nothing with
   * `--yes`.
   */
  readonly confirm: Confirm;
}

/** Describes the option `--as` of a command. */
export type Acting = NonNullable<CommandParts<unknown, unknown>['as']>;

type CallerOf<As> = As extends { readonly required: true } ? Principal : CommandCaller;

/** A function of a command. To end the command, it throws an error such as a `CommandError`. */
export type Step<UseCases, As, Input, Value> = (
  useCases: UseCases,
  caller: CallerOf<As>,
  input: Input,
  tools: Tools,
) => Promise<Value>;

/**
 * The parts that every command of Gatehouse can have. `CommandParts` are those that commands of extensions have as
 * well.
 */
export interface Parts<UseCases, A, O, As, Read> extends Omit<CommandParts<A, O>, 'as'> {
  /** Left out of the help. */
  readonly hidden?: true;
  /** Printed if a command that has no arguments is given one. Default: the message of commander. */
  readonly noArguments?: string;
  /** Default: the operator acts. */
  readonly as?: As;
  /** The expected errors of the extension that the command belongs to, by their codes. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Reads more input, such as a password, before the database is opened. */
  read?(input: InputOf<A, O>, cli: Cli): Promise<Read>;
  /** The keys that are checked before the database is opened. */
  needs?(input: InputOf<A, O>): Need;
  readonly asks?: Asks<UseCases, A, O, As, Read>;
}

/** The question that a command asks before it does its work. With `--yes` the command asks nothing. */
interface Asks<UseCases, A, O, As, Read> extends Question {
  /** Default: always. */
  when?(input: InputOf<A, O>): boolean;
  /**
   * Without a terminal, the command looks up the facts before it refuses, because the refusal contains them. Default:
   * it refuses before it looks up anything.
   */
  readonly factsFirst?: true;
  /**
   * Returns the lines to print before the question; undefined if there is nothing to ask about. Default: the function
   * `steps` of the command calls `confirm` itself.
   */
  facts?(
    useCases: UseCases,
    caller: CallerOf<As>,
    input: InputOf<A, O> & Read,
  ): Promise<Outcome<readonly string[] | undefined>>;
}

/**
 * How a command prints its result. This decides which options for output the command has, such as `--json`. For a list,
 * it is the view of an item.
 */
export type Prints = 'change' | 'item' | 'stream' | 'notes' | 'script' | View<never>;

export interface ChangeParts<UseCases, A, O, As, Read, Value>
  extends Parts<UseCases, A, O, As, Read>,
    ChangeReport<Value, InputOf<A, O>> {
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Value>>;
}

export interface ListParts<UseCases, A, O, As, Read, Item> extends Parts<UseCases, A, O, As, Read> {
  readonly view: View<Item>;
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Pages<Item> | readonly (readonly Item[])[]>>;
}

export interface StepsParts<UseCases, A, O, As, Read> extends Parts<UseCases, A, O, As, Read> {
  readonly prints: Prints;
  /** Does the work, and prints. */
  readonly steps: Step<UseCases, As, InputOf<A, O> & Read, unknown>;
}

export interface AloneParts<A, O, Read> extends Parts<never, A, O, Acting, Read> {
  readonly prints: Prints;
  /** Does the work and prints the result, without a database or with one that it opens itself. */
  alone(input: InputOf<A, O> & Read, tools: Tools): Promise<unknown>;
}

/** A command that the command line can run. The types of its input and results are known only to its own functions. */
export type Description<UseCases> =
  | ({ readonly kind: 'change' } & ChangeParts<UseCases, Arguments, Options, Acting, object, unknown>)
  | ({ readonly kind: 'list' } & ListParts<UseCases, Arguments, Options, Acting, object, unknown>)
  | (ItemCommand<UseCases> & Parts<UseCases, Arguments, Options, Acting, object>)
  | ({ readonly kind: 'steps' } & StepsParts<UseCases, Arguments, Options, Acting, object>)
  | ({ readonly kind: 'alone' } & AloneParts<Arguments, Options, object>);

/** A command of Gatehouse itself. */
export type OwnCommand = Description<Gatehouse>;

/**
 * Commands of a resource that begin with one more word, such as `scope` in `gatehouse service scope add` and `gatehouse
 * service scope remove`.
 */
export interface CommandSet {
  readonly name: string;
  readonly summary: string;
  /** In the order of the help. */
  readonly commands: readonly OwnCommand[];
}

/** The resources of the installation, which some commands name in their options. */
export type Resources = Pick<Cli, 'catalog' | 'extensions'>;
