import type { DomainError, Pages, Result } from '@gatehouse/domain';
import type { Operator, Principal } from '@gatehouse/domain/access';
import type { Refusal } from '../refusals.ts';
import type { Arguments, InputOf, Options } from './values.ts';
import type { View } from './view.ts';

/** Who acts by a command: the admin of `--as`, or the operator who runs it. */
export type CommandCaller = Operator | Principal;

/** The outcome of a command: an error is one of Gatehouse or one of the described refusals. */
type Outcome<Value, Code extends string> = Result<Value, DomainError | { readonly code: Code }>;

/** How a command asks first; with `--yes` it asks nothing, and the facts are not looked up. */
export interface Question {
  /** Completes "add --yes to ...". */
  readonly action: string;
  readonly question: string;
  /** Asked instead if the facts are several lines. */
  readonly plural?: string;
  /** Said after a "no". */
  readonly declined: string;
}

interface Asks<UseCases, Input, Code extends string> extends Question {
  /** Lines that are printed before the question. Undefined: there is nothing to ask about. */
  facts(
    useCases: UseCases,
    caller: CommandCaller,
    input: Input,
  ): Promise<Outcome<readonly string[] | undefined, Code>>;
}

/** What every command has. */
interface CommandParts<UseCases, A, O, Value, Code extends string> {
  readonly verb: string;
  readonly summary: string;
  readonly arguments?: A;
  readonly options?: O;
  /** Adds `--as`: an admin acts instead of the operator, or must act if it is required. Default: the operator acts. */
  readonly as?: { readonly description: string; readonly required?: true };
  /** Paragraphs of the help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
  /** The extension's own refusals, which its manifest has. */
  readonly refusals?: Readonly<Record<Code, Refusal>>;
  /** Returns what is wrong with values that do not go together, as a sentence. */
  check?(input: InputOf<A, O>): string | undefined;
  run(
    useCases: UseCases,
    caller: CommandCaller,
    input: InputOf<A, O>,
  ): Promise<Outcome<Value, NoInfer<Code>>>;
}

interface ChangeParts<UseCases, A, O, Value, Code extends string>
  extends CommandParts<UseCases, A, O, Value, Code> {
  readonly asks?: Asks<UseCases, InputOf<A, O>, NoInfer<Code>>;
  /** What was done, for people. */
  note(value: Value, input: InputOf<A, O>): string;
  /** Printed on standard output, such as a new id. Default: nothing. */
  bare?(value: Value): string;
  /** Printed with `--json`. */
  document(value: Value): object;
}

interface ListParts<UseCases, A, O, Item, Code extends string>
  extends CommandParts<UseCases, A, O, Pages<Item>, Code> {
  readonly view: View<Item>;
}

interface ItemParts<UseCases, A, O, Item, Code extends string>
  extends CommandParts<UseCases, A, O, Item, Code> {
  readonly view: View<Item>;
}

/** A command that changes something. Its types but that of the use cases are known to its own members only. */
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
 * Describes a command that changes something. The types of `input` follow from the arguments and options; name that of
 * the use cases, and write `run` before what takes its value. An error that is not described does not compile.
 */
export function defineChange<
  UseCases,
  Value,
  const A extends Arguments = Readonly<Record<never, never>>,
  const O extends Options = Readonly<Record<never, never>>,
  Code extends string = never,
>(parts: ChangeParts<UseCases, A, O, Value, Code>): ChangeCommand<UseCases> {
  return erased({ kind: 'change', ...parts });
}

/** Describes a command that lists items, as `defineChange`. */
export function defineList<
  UseCases,
  Item,
  const A extends Arguments = Readonly<Record<never, never>>,
  const O extends Options = Readonly<Record<never, never>>,
  Code extends string = never,
>(parts: ListParts<UseCases, A, O, Item, Code>): ListCommand<UseCases> {
  return erased({ kind: 'list', ...parts });
}

/** Describes a command that shows one item, as `defineChange`. */
export function defineItem<
  UseCases,
  Item,
  const A extends Arguments = Readonly<Record<never, never>>,
  const O extends Options = Readonly<Record<never, never>>,
  Code extends string = never,
>(parts: ItemParts<UseCases, A, O, Item, Code>): ItemCommand<UseCases> {
  return erased({ kind: 'item', ...parts });
}

/** Forgets types that only the members of one object share: the command line gives each what another returned. */
function erased<Command>(command: object): Command {
  return command as Command;
}
