import type { Readable, Writable } from 'node:stream';
import type { Operator } from '@gatehouse/domain/access';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { CommandUseCases } from './use-cases.ts';

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export interface Migration {
  /** The names of those that were missing, in their order. */
  readonly applied: readonly string[];
}

/** What is told while a migration goes on. */
export interface MigrationListener {
  /** One of them was applied, and stays. */
  readonly onApplied: (name: string) => Promise<void>;
  /** A lock is waited for: the text names the sessions that hold it. */
  readonly onWaiting: (text: string) => Promise<void>;
}

/** The use cases on a database that is open, and closed with them. */
export type Gatehouse = CommandUseCases & AsyncDisposable;

/** What a command needs besides the database, which is looked at before that is asked. */
export interface Need {
  /** The master key. */
  readonly signs: true;
  /** Holds the master key that is to take its place. */
  readonly newMasterKeyFile?: string | undefined;
}

/** What a command has to work with; tests give it streams of their own and a store in memory. */
export interface Cli {
  readonly streams: Streams;
  /** Aborted when the command is to end before it is done. */
  readonly signal: AbortSignal;
  /** Whoever runs the command, as the audit log names them. */
  readonly operator: Operator;
  /** The file that this program was started as. */
  readonly path: string;
  /** The format in which tokens are issued where none is asked for. */
  defaultFormat(): Promise<TokenFormat>;
  /** Connects to the database; whoever opens it closes it. */
  open(need?: Need): Promise<Gatehouse>;
  /**
   * Opens the database whatever its state; an `UnavailableFault` where there is none to open, and a
   * `DataFolderExposed` where other users can write in its folder.
   */
  openAsItIs(): Promise<Gatehouse>;
  /** Connects only where that takes nothing to be started, made or migrated. */
  peek(): Promise<Gatehouse | undefined>;
  /** Brings the database's schema up to date, making the embedded database if there is none. */
  migrate(listener: MigrationListener): Promise<Migration>;
}
