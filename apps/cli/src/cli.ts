import type { Operator } from '@gatehouse/domain/access';
import type { IdentityProviders } from '@gatehouse/domain/identity-providers';
import type { Catalog } from '@gatehouse/domain/resources';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { StrayEmail } from '@gatehouse/domain/users';
import type { Extension } from '@gatehouse/extension-kit';
import type { MigrationReport } from '@gatehouse/installation/migrate';
import type { MigrateOptions } from '@gatehouse/postgres';
import type { Streams } from './streams.ts';
import type { CommandUseCases } from './use-cases.ts';

/** The use cases of all commands, on an open database. Disposing of this object closes the database. */
export interface Gatehouse extends CommandUseCases, AsyncDisposable {
  /** Loads an extension, and creates its use cases. */
  useCasesOf<UseCases>(extension: Extension<unknown, UseCases>): Promise<UseCases>;
}

/** The keys that a command needs besides the database. They are checked before the database is opened. */
export interface Need {
  /** The command needs the master key, for example to sign tokens. */
  readonly signs: true;
  /** The file with the master key that replaces the current one. */
  readonly newMasterKeyFile?: string | undefined;
}

/** The report of a migration, and its consequences for tokens and users. */
export interface Migrated extends MigrationReport {
  /**
   * If this migration installed an extension: the number of accepted tokens with the scope `*`, which now also allow
   * what the extension adds. Otherwise 0.
   */
  readonly unlimitedTokens: number;
  /** Users whose address is another spelling of another user's address, at most 100. */
  readonly sharedEmails: readonly StrayEmail[];
}

/** The answer of a server to a health check. */
export interface ServerHealth {
  readonly url: string;
  /** The HTTP status. */
  readonly status: number;
  readonly body: { readonly status?: unknown; readonly reason?: unknown; readonly title?: unknown };
}

/** Everything that commands use from outside. Tests pass their own streams and an in-memory store. */
export interface Cli {
  readonly catalog: Catalog;
  readonly extensions: readonly Extension[];
  readonly streams: Streams;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  /** The user who runs the command, with the name for the audit log. */
  readonly operator: Operator;
  /** The path of this program. */
  readonly path: string;
  /** The token format for commands without `--format`. */
  defaultFormat(): Promise<TokenFormat>;
  /** The identity providers of the settings. None is contacted, and the database is not opened. */
  identityProviders(): Promise<IdentityProviders>;
  /** Sends a health check to the server on this machine. Throws an `UnavailableFault` if no server answers. */
  askServer(path: '/live' | '/ready'): Promise<ServerHealth>;
  /** Connects to the database; the caller closes it. */
  open(need?: Need): Promise<Gatehouse>;
  /**
   * Opens the database whatever the version of its schema. Throws an `UnavailableFault` if there is no database, and
   * `DataFolderExposed` if other users can write in the data folder.
   */
  openAsItIs(): Promise<Gatehouse>;
  /**
   * Connects only to a database that runs and is migrated. Otherwise returns undefined, and starts and creates nothing.
   */
  peek(): Promise<Gatehouse | undefined>;
  /**
   * Brings the schemas of Gatehouse and of its extensions up to date. If there is no embedded database, creates it. The
   * listener is called while migrations run, and when a migration waits for a lock.
   */
  migrate(listener: Required<Pick<MigrateOptions, 'onApplied' | 'onUnfit' | 'onWaiting'>>): Promise<Migrated>;
}
