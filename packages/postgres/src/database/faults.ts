import { SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import pg from 'pg';
import { mendOfConnection, mendOfStatement, type OpenedAs } from './pool/operator-mistakes.ts';
import { isFromStandby } from './primary/primary-only.ts';

/**
 * PostgreSQL rejected a statement. That is a bug, unless a repository expects the rejection. Unlike the driver's own errors,
 * this error contains neither SQL nor values of a row, so that it can be logged.
 */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  /** The error's SQLSTATE. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor({ message, code, constraint }: pg.DatabaseError) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** PostgreSQL rejected a statement because the server, the database or a connection pooler is set up wrongly. */
export class DatabaseSetupFault extends SetupFault {
  override readonly name = 'DatabaseSetupFault';
  /** The error's SQLSTATE. */
  readonly code: string | undefined;

  constructor(code: string | undefined, message: string) {
    super(message);
    this.code = code;
  }

  /** Returns the same fault, with the version of the connection pooler that caused it in the message. */
  of(pooler: string): DatabaseSetupFault {
    return new DatabaseSetupFault(this.code, `${this.message}; it is ${pooler}`);
  }
}

/** A statement did not get a lock within `lock_timeout`. */
export class LockTimeout extends UnavailableFault {}

/** A statement reached a read-only server: a standby, or a primary configured as read-only. */
export class ReadOnlyServer extends UnavailableFault {}

/** The SQLSTATE of `lock_not_available`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The SQLSTATE of `read_only_sql_transaction`. */
const READ_ONLY = '25006';

/**
 * SQLSTATEs of errors that may not occur at the next attempt: 08 a lost connection, 40 a deadlock, 53 a lack of
 * resources such as disk space, 57 a shutdown or a time-out, 58 an error of the server's operating system, 55P03 a lock
 * that was not free in time, 25P03 and 25P04 a transaction that took too long.
 */
const PASSING = /^(08|40|53|57|58|55P03|25P03|25P04)/;

/** pg's message for a statement that was not answered in time. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * SQLSTATEs of a text that the database cannot encode: `untranslatable_character` and `character_not_in_repertoire`.
 */
const UNSTORABLE = new Set(['22P05', '22021']);

/** Returns the fault for a connection that could not be opened. */
export function connectFault(error: unknown, as: () => OpenedAs): UnavailableFault {
  const reason = `the database cannot be reached: ${reasonOf(error)}`;
  const mend = error instanceof pg.DatabaseError ? mendOfConnection(error, as()) : undefined;
  return new UnavailableFault(mend === undefined ? reason : `${reason}; ${mend}`);
}

/** Returns the fault for a failed statement. `lost` is true if the connection of the statement was lost. */
export function statementFault(error: unknown, lost: boolean, as: OpenedAs): unknown {
  if (error instanceof pg.DatabaseError) {
    if (isFromStandby(error)) {
      return new ReadOnlyServer(
        'the database is not available: DATABASE_URL leads to a standby, and has to lead to the primary',
      );
    }
    if (error.code === READ_ONLY) {
      return new ReadOnlyServer(
        `the database is not available: ${error.message}; if this server is a standby, DATABASE_URL has to lead to the primary; otherwise turn off default_transaction_read_only for the role, the database or the server`,
      );
    }
    if (UNSTORABLE.has(error.code ?? '')) return new UnstorableText(error.message);
    const mend = mendOfStatement(error, as);
    if (mend !== undefined) {
      return new DatabaseSetupFault(
        error.code,
        `the database refuses a statement: ${error.message}; ${mend}`,
      );
    }
    if (!PASSING.test(error.code ?? '')) return new DatabaseFault(error);
    const Fault = error.code === LOCK_NOT_AVAILABLE ? LockTimeout : UnavailableFault;
    return new Fault(`the database is not available: ${error.message}`);
  }
  if (lost || isReadTimeout(error)) {
    return new UnavailableFault(`the database does not answer: ${reasonOf(error)}`);
  }
  return error;
}

/**
 * Returns a handler for a failed look-up. If the database cannot store the text that was looked up, the handler returns
 * `nothing`, because no stored text can be equal to that text. It throws every other fault.
 */
export function unlessUnstorable<T>(nothing: T): (fault: unknown) => T {
  return (fault) => {
    if (fault instanceof UnstorableText) return nothing;
    throw fault;
  };
}

export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === READ_TIMEOUT;
}

/** Describes an error in one line. */
export function reasonOf(error: unknown): string {
  // If a host name has several addresses, this error has one error for each address, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
