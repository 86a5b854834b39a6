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
  /** Prints the facts, and asks the command's question. Does nothing with `--yes`. */
  readonly confirm: Confirm;
}

/** Adds `--as`. */
export type Acting = NonNullable<CommandParts<unknown, unknown>['as']>;

type CallerOf<As> = As extends { readonly required: true } ? Principal : CommandCaller;

/** A function of a command. To end the command, it throws an error such as a `CommandError`. */
export type Step<UseCases, As, Input, Value> = (
  useCases: UseCases,
  caller: CallerOf<As>,
  input: Input,
  tools: Tools,
) => Promise<Value>;

/** The parts of a command of Gatehouse, besides those that a command of an extension has. */
export interface Parts<UseCases, A, O, As, Read> extends Omit<CommandParts<A, O>, 'as'> {
  /** Left out of the help. */
  readonly hidden?: true;
  /** Printed if a command that has no arguments is given one. Default: the message of commander. */
  readonly noArguments?: string;
  /** Default: the operator acts. */
  readonly as?: As;
  /** The refusals of an extension. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Reads more input, such as a password, before the database is opened. */
  read?(input: InputOf<A, O>, cli: Cli): Promise<Read>;
  /** The keys that are checked before the database is opened. */
  needs?(input: InputOf<A, O>): Need;
  readonly asks?: Asks<UseCases, A, O, As, Read>;
}

/** The question that a command asks first. With `--yes` the command asks nothing. */
interface Asks<UseCases, A, O, As, Read> extends Question {
  /** Default: always. */
  when?(input: InputOf<A, O>): boolean;
  /** Looks up the facts even without a terminal to ask at, because the refusal contains them. Default: refuses at once. */
  readonly factsFirst?: true;
  /** Lines to print before the question. Undefined: there is nothing to ask about. Default: the steps confirm. */
  facts?(
    useCases: UseCases,
    caller: CallerOf<As>,
    input: InputOf<A, O> & Read,
  ): Promise<Outcome<readonly string[] | undefined>>;
}

/** The options of a command for its output: those of a list follow from its view. */
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

/** A command, as the command line runs it. Only the functions of the same description know the types of its input and results. */
export type Description<UseCases> =
  | ({ readonly kind: 'change' } & ChangeParts<UseCases, Arguments, Options, Acting, object, unknown>)
  | ({ readonly kind: 'list' } & ListParts<UseCases, Arguments, Options, Acting, object, unknown>)
  | (ItemCommand<UseCases> & Parts<UseCases, Arguments, Options, Acting, object>)
  | ({ readonly kind: 'steps' } & StepsParts<UseCases, Arguments, Options, Acting, object>)
  | ({ readonly kind: 'alone' } & AloneParts<Arguments, Options, object>);

/** A command of Gatehouse itself. */
export type OwnCommand = Description<Gatehouse>;

/** The resources of the installation, which some commands name in their options. */
export type Resources = Pick<Cli, 'catalog' | 'extensions'>;
