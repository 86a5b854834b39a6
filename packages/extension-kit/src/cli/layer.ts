import type { Readable, Writable } from 'node:stream';
import type { Result } from '@gatehouse/domain';
import type { Operator } from '@gatehouse/domain/access';
import type { Command } from 'commander';
import type { DescribedCommand } from './command.ts';

/** What a command that is written by hand works with. */
export interface CommandLine<UseCases> {
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable };
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  /** The user who runs the command, as the audit log names them. */
  readonly operator: Operator;
  /** Opens the database; disposing of the result closes it. */
  open(): Promise<AsyncDisposable & { readonly useCases: UseCases }>;
  /** Returns the value, or ends the command as the refusal says. */
  unwrap<Value>(result: Result<Value, { readonly code: string }>): Value;
}

/** Adds a command to its resource, for what no description can say. As a method, so that each fits in a list. */
export type CommandByHand<UseCases> = {
  define(resource: Command, line: CommandLine<UseCases>): void;
}['define'];

/** The commands of an extension, in the order of the help. */
export interface CliLayer<UseCases> {
  readonly commands: readonly (DescribedCommand<UseCases> | CommandByHand<UseCases>)[];
}
