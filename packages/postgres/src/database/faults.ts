import { UnavailableFault } from '@gatehouse/domain';
import pg from 'pg';
import { isFromStandby } from './primary-only.ts';

/**
 * PostgreSQL refused a statement: a defect, unless a repository expects it. It carries neither SQL nor the
 * row in question, as the driver's own errors do, so that it may be logged.
 */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  /** The SQLSTATE. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor({ message, code, constraint }: pg.DatabaseError) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** A statement did not get a lock within `lock_timeout`. */
export class LockTimeout extends UnavailableFault {}

/** A statement reached a server that only reads: a standby, or a primary that was told to. */
export class ReadOnlyServer extends UnavailableFault {}

/** The SQLSTATE of `lock_not_available`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The SQLSTATE of `read_only_sql_transaction`. */
const READ_ONLY = '25006';

/**
 * SQLSTATEs of conditions that pass: 08 connection, 40 deadlock and serialization, 53 resources (a full disk
 * too), 57 shutdown and time-outs, 58 the server's system; a lock or a transaction that waited too long.
 */
const PASSING = /^(08|40|53|57|58|55P03|25P03)/;

/** What pg says when a statement had no answer in time. */
const READ_TIMEOUT = 'Query read timeout';

/** The fault of a connection that could not be had, for whatever reason. */
export function connectFault(error: unknown): UnavailableFault {
  return new UnavailableFault(`the database cannot be reached: ${reasonOf(error)}`);
}

/** The fault of a statement that failed; `lost` says that its connection is gone. */
export function statementFault(error: unknown, lost: boolean): unknown {
  if (error instanceof pg.DatabaseError) {
    if (isFromStandby(error)) {
      return new ReadOnlyServer('the database is not available: DATABASE_URL leads to a standby');
    }
    if (error.code === READ_ONLY) {
      return new ReadOnlyServer(`the database is not available: ${error.message}`);
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

export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === READ_TIMEOUT;
}

export function isViolationOf(constraint: string, error: unknown): boolean {
  return error instanceof DatabaseFault && error.constraint === constraint;
}

/** What there is to say of an error, in a line. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
