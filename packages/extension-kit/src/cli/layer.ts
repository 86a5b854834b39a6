import type { Readable, Writable } from 'node:stream';
import type { Result } from '@gatehouse/domain';
import type { Operator } from '@gatehouse/domain/access';
import type { Command } from 'commander';
import type { CommandCaller, DescribedCommand } from './command.ts';

/** The functions and data for a command that is written by hand. */
export interface CommandLine<UseCases> {
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable };
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  /** The user who runs the command, with the name for the audit log. */
  readonly operator: Operator;
  /** Opens the database; disposing of the result closes it. */
  open(): Promise<AsyncDisposable & { readonly useCases: UseCases }>;
  /** Returns the value, or ends the command with the refusal. */
  unwrap<Value>(result: Result<Value, { readonly code: string }>): Value;
}

/**
 * Adds a command to its resource by the functions of commander, for a command that no description can express. Methods
 * are bivariant in TypeScript: because this type is that of a method, one list can hold the commands of extensions with
 * different use cases.
 */
export type CommandByHand<UseCases> = {
  define(resource: Command, line: CommandLine<UseCases>): void;
}['define'];

/** A completion of a word, and a short description of it. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** An id that the user is typing. */
export interface TypedId {
  /** The characters that are typed so far. */
  readonly prefix: string;
  /** The arguments before the id, as text, by their names in the usage. */
  readonly given: Readonly<Record<string, string>>;
}

/** The commands of an extension. */
export interface CliLayer<UseCases> {
  /** The commands, in the order of the help. */
  readonly commands: readonly (DescribedCommand<UseCases> | CommandByHand<UseCases>)[];
  /**
   * Suggests ids for the argument `id` of the extension's commands, at every press of the Tab key. The shell offers the
   * first 100 suggestions that begin with the prefix. The caller is the one that the typed command would have.
   */
  suggestIds?(
    useCases: UseCases,
    caller: CommandCaller,
    typed: TypedId,
  ): Promise<Result<readonly Suggestion[], { readonly code: string }>>;
}
