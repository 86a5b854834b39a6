import type { DomainError, Pages, Result } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import type { Refusal } from '@gatehouse/extension-kit';
import type { CommandCaller, Question, View } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse, Need } from '../cli.ts';
import type { Confirm } from '../input/consent.ts';
import type { Printer } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';
import type { Arguments, InputOf, None, Options } from './input.ts';

/** The means of a command to ask and print. */
export interface Tools {
  readonly cli: Cli;
  readonly command: Command;
  readonly output: OutputOptions;
  readonly printer: Printer;
  /** Prints the facts, and asks the command's question. Does nothing with `--yes`. */
  readonly confirm: Confirm;
}

/** Adds `--as`: an admin acts instead of the operator, or must act if it is required. */
interface Acting {
  readonly description: string;
  readonly required?: true;
}

type CallerOf<As> = As extends { readonly required: true } ? Principal : CommandCaller;

/** An error is one of Gatehouse or, of an extension's command, one of its refusals. */
type Outcome<Value> = Result<Value, DomainError | { readonly code: string }>;

type Step<UseCases, As, Input, Value> = (
  useCases: UseCases,
  caller: CallerOf<As>,
  input: Input,
  tools: Tools,
) => Promise<Value>;

/** The parts that every command has. */
interface Parts<UseCases, A, O, As, Read> {
  readonly verb: string;
  readonly summary: string;
  /** Left out of the help. */
  readonly hidden?: true;
  readonly arguments?: A;
  /** Refuses arguments of a command that has none. Default: the message of the parser. */
  readonly noArguments?: string;
  readonly options?: O;
  /** Default: the operator acts. */
  readonly as?: As;
  /** Paragraphs of the help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
  /** The refusals of an extension. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Returns what is wrong with values that do not go together, as a sentence. */
  check?(input: InputOf<A, O>): string | undefined;
  /** Reads more input, such as a password, before the database is opened. */
  read?(input: InputOf<A, O>, cli: Cli): Promise<Read>;
  /** The keys that are checked before the database is opened. */
  needs?(input: InputOf<A, O>): Need;
  readonly asks?: Asks<UseCases, A, O, As, Read>;
}

/** The question that a command asks first; with `--yes` it asks nothing. */
interface Asks<UseCases, A, O, As, Read> extends Question {
  /** Default: always. */
  when?(input: InputOf<A, O>): boolean;
  /** Without a terminal the facts are looked up first, because the refusal has them. */
  readonly late?: true;
  /** Lines to print before the question. Undefined: there is nothing to ask about. Default: the command confirms later. */
  facts?(
    useCases: UseCases,
    caller: CallerOf<As>,
    input: InputOf<A, O> & Read,
  ): Promise<Outcome<readonly string[] | undefined>>;
}

interface ChangeParts<UseCases, A, O, As, Read, Value> extends Parts<UseCases, A, O, As, Read> {
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Value>>;
  /** Says what was done. */
  note(value: Value, input: InputOf<A, O>): string | readonly string[];
  /** Printed on standard output, such as a new id. Default: nothing. */
  bare?(value: Value): string;
  /** Printed with `--json`. */
  document(value: Value): object;
}

interface ListParts<UseCases, A, O, As, Read, Item> extends Parts<UseCases, A, O, As, Read> {
  readonly view: View<Item>;
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Pages<Item> | readonly (readonly Item[])[]>>;
}

interface ItemParts<UseCases, A, O, As, Read, Item> extends Parts<UseCases, A, O, As, Read> {
  readonly view: View<Item>;
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Item>>;
}

/** The options of a command for its output: those of a list follow from its view. */
export type Prints = 'change' | 'item' | 'stream' | 'notes' | 'script' | View<never>;

interface StepsParts<UseCases, A, O, As, Read> extends Parts<UseCases, A, O, As, Read> {
  readonly prints: Prints;
  readonly steps: Step<UseCases, As, InputOf<A, O> & Read, unknown>;
}

interface AloneParts<A, O, Read> extends Parts<never, A, O, Acting, Read> {
  readonly prints: Prints;
  alone(input: InputOf<A, O> & Read, tools: Tools): Promise<unknown>;
}

/** A command, as the command line runs it. Only its own members know its other types. */
export type Description<UseCases> =
  | (ChangeParts<UseCases, Arguments, Options, Acting, object, unknown> & { readonly kind: 'change' })
  | (ListParts<UseCases, Arguments, Options, Acting, object, unknown> & { readonly kind: 'list' })
  | (ItemParts<UseCases, Arguments, Options, Acting, object, unknown> & { readonly kind: 'item' })
  | (StepsParts<UseCases, Arguments, Options, Acting, object> & { readonly kind: 'steps' })
  | (AloneParts<Arguments, Options, object> & { readonly kind: 'alone' });

/** A command of Gatehouse itself. */
export type OwnCommand = Description<Gatehouse>;

/** The resources of the installation, which some commands name in their options. */
export type Resources = Pick<Cli, 'catalog' | 'extensions'>;

/**
 * Describes a command that changes something. The types of `input` follow from the arguments and options. Write `read` and
 * `run` before the members that take their values.
 */
export function defineChange<
  Value,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ChangeParts<Gatehouse, A, O, As, Read, Value>): OwnCommand {
  return erased({ kind: 'change', ...parts });
}

/** Describes a command that lists items page by page. */
export function defineList<
  Item,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ListParts<Gatehouse, A, O, As, Read, Item>): OwnCommand {
  return erased({ kind: 'list', ...parts });
}

/** Describes a command whose steps are a function, which also prints. */
export function defineSteps<
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: StepsParts<Gatehouse, A, O, As, Read>): OwnCommand {
  return erased({ kind: 'steps', ...parts });
}

/** Describes a command that needs no database, or opens it by itself. */
export function defineAlone<const A extends Arguments = None, const O extends Options = None, Read = unknown>(
  parts: AloneParts<A, O, Read>,
): OwnCommand {
  return erased({ kind: 'alone', ...parts });
}

/** Forgets types that only the members of one object share: the command line gives each what another returned. */
function erased(command: object): OwnCommand {
  return command as OwnCommand;
}
