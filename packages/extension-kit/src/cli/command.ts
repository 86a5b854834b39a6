import type { DomainError, Pages, Result } from '@gatehouse/domain';
import type { Operator, Principal } from '@gatehouse/domain/access';
import type { Refusal } from '../refusals.ts';
import type { Arguments, InputOf, Options } from './values.ts';
import type { View } from './view.ts';

/** The caller of a command: the admin of `--as`, or the operator who runs it. */
export type CommandCaller = Operator | Principal;

/** The outcome of a command: a value, or an error of Gatehouse, or one of the refusals that the command describes. */
export type Outcome<Value, Code extends string = string> = Result<
  Value,
  DomainError | { readonly code: Code }
>;

/** No arguments, or no options. */
export type None = Readonly<Record<never, never>>;

/** A question that asks for confirmation. With `--yes`, the command asks nothing, and does not look up the facts. */
export interface Question {
  /** Completes the message "add --yes to ...", such as `delete the organization`. */
  readonly action: string;
  readonly question: string;
  /** The question if the facts are several lines. Default: `question`. */
  readonly plural?: string;
  /** Printed after a "no". */
  readonly declined: string;
}

interface Asks<UseCases, Input, Code extends string> extends Question {
  /** Returns the lines that are printed before the question. Undefined if there is nothing to ask about. */
  facts(
    useCases: UseCases,
    caller: CommandCaller,
    input: Input,
  ): Promise<Outcome<readonly string[] | undefined, Code>>;
}

/** The parts of every command. */
export interface CommandParts<A, O> {
  readonly verb: string;
  readonly summary: string;
  readonly arguments?: A;
  readonly options?: O;
  /**
   * Adds the option `--as`, with which the command acts for an admin instead of the operator. If `required`, the option
   * must be given. Default: no such option.
   */
  readonly as?: { readonly description: string; readonly required?: true };
  /** Paragraphs of the help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
  /** Returns a sentence that says which of the given values cannot be combined; undefined if they can. */
  check?(input: InputOf<A, O>): string | undefined;
}

/** The functions that report a change. */
export interface ChangeReport<Value, Input> {
  /** Reports the change to the user, in one or several lines. */
  note(value: Value, input: Input): string | readonly string[];
  /** Returns the text for standard output, such as a new id. Default: nothing. */
  bare?(value: Value): string;
  /** Printed with `--json`. */
  document(value: Value): object;
}

interface RunParts<UseCases, A, O, Value, Code extends string> extends CommandParts<A, O> {
  /** The expected errors of the extension that this command can end with, by their codes. */
  readonly refusals?: Readonly<Record<Code, Refusal>>;
  run(
    useCases: UseCases,
    caller: CommandCaller,
    input: InputOf<A, O>,
  ): Promise<Outcome<Value, NoInfer<Code>>>;
}

interface ChangeParts<UseCases, A, O, Value, Code extends string>
  extends RunParts<UseCases, A, O, Value, Code>,
    ChangeReport<Value, InputOf<A, O>> {
  readonly asks?: Asks<UseCases, InputOf<A, O>, NoInfer<Code>>;
}

interface ListParts<UseCases, A, O, Item, Code extends string>
  extends RunParts<UseCases, A, O, Pages<Item>, Code> {
  readonly view: View<Item>;
}

interface ItemParts<UseCases, A, O, Item, Code extends string> extends RunParts<UseCases, A, O, Item, Code> {
  readonly view: View<Item>;
}

/** A command that changes something. The types of its input and its value are known only to its own functions. */
export interface ChangeCommand<UseCases> extends ChangeParts<UseCases, Arguments, Options, unknown, string> {
  readonly kind: 'change';
}

/** A command that lists items page by page. */
export interface ListCommand<UseCases> extends ListParts<UseCases, Arguments, Options, unknown, string> {
  readonly kind: 'list';
}

/** A command that shows one item. */
export interface ItemCommand<UseCases> extends ItemParts<UseCases, Arguments, Options, unknown, string> {
  readonly kind: 'item';
}

export type DescribedCommand<UseCases> =
  | ChangeCommand<UseCases>
  | ListCommand<UseCases>
  | ItemCommand<UseCases>;

/**
 * Describes a command that changes something. The types of `input` follow from the arguments and options. Annotate the
 * type of the use cases, and write `run` before the members that use its result, because TypeScript infers the types in
 * this order. If `run` can return an error that `refusals` does not describe, the command does not compile.
 */
export function defineChange<
  UseCases,
  Value,
  const A extends Arguments = None,
  const O extends Options = None,
  Code extends string = never,
>(parts: ChangeParts<UseCases, A, O, Value, Code>): ChangeCommand<UseCases> {
  return erased({ kind: 'change', ...parts });
}

/** Describes a command that lists items. See `defineChange` for how types are inferred. */
export function defineList<
  UseCases,
  Item,
  const A extends Arguments = None,
  const O extends Options = None,
  Code extends string = never,
>(parts: ListParts<UseCases, A, O, Item, Code>): ListCommand<UseCases> {
  return erased({ kind: 'list', ...parts });
}

/** Describes a command that shows one item. See `defineChange` for how types are inferred. */
export function defineItem<
  UseCases,
  Item,
  const A extends Arguments = None,
  const O extends Options = None,
  Code extends string = never,
>(parts: ItemParts<UseCases, A, O, Item, Code>): ItemCommand<UseCases> {
  return erased({ kind: 'item', ...parts });
}

/**
 * Erases the types of the input and the result. The functions of one command agree on them, and the command line only
 * passes the result of one function to another.
 */
function erased<Command>(command: object): Command {
  return command as Command;
}
