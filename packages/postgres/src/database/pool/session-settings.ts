/**
 * If several schemas have the tables of Gatehouse, the statement below makes PostgreSQL convert this text to a number.
 * That fails, and the error message repeats the text to the operator.
 */
const AMBIGUOUS = 'more than one schema of the search path has the tables of gatehouse';

/** Time limits in milliseconds; 0 means no limit. */
export interface TimeLimits {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
  /** The longest wait of a statement for each lock. */
  readonly lockMs: number;
}

export const NO_TIME_LIMITS: TimeLimits = { statementMs: 0, idleInTransactionMs: 0, lockMs: 0 };

/**
 * The setting that decides how PostgreSQL prints definitions. Code that compares definitions sets it again by `set
 * local`, because a connection pooler in transaction mode may run a transaction in a session without the settings of
 * `sessionSettings`.
 */
export const PRINTED_FORM = 'quote_all_identifiers = off';

/**
 * Returns statements that set everything on which other statements of a session depend. The server, the database or the
 * role may have other settings (`alter role ... set`):
 *
 * - Time limits. A limit that is set for the role would end a migration half-way. It would also end the connection that
 *   listens for changes, if there are no changes for some time.
 * - The search path is the one schema that has our tables. In the default path, `"$user", public`, another role that
 *   may create objects could add functions with the names and types that our statements use. These functions would run
 *   with our rights (CVE-2018-1058). Until the path is set, the statements qualify all names. A schema that belongs to
 *   another ordinary role is passed over, because that role could have tables of the same names. A database without our
 *   tables keeps its path.
 * - READ COMMITTED. A change first waits for a lock on its user or key, and then must read what the previous
 *   transaction wrote. Transactions also name this level themselves (`ReadCommittedDriver`).
 * - The formats of values and definitions, and the meaning of SQL, are the same in each session.
 * - Statements are not compiled (`jit`). Each reads few rows, and compiling takes longer than a statement may take.
 * - An error ends a statement, not the session, because repositories expect some errors.
 *
 * The last result has the session's role, which a setting of the role may change, and its database.
 *
 * `default_transaction_read_only` is kept, because operators and hosts use it to stop changes. A connection pooler in
 * transaction mode loses these settings (docs/operate/database.md).
 */
export const sessionSettings = ({ statementMs, idleInTransactionMs, lockMs }: TimeLimits) => `
  select pg_catalog.set_config('transaction_timeout', '0', false)
  where pg_catalog.current_setting('transaction_timeout', true) is not null;
  set statement_timeout = ${statementMs};
  set idle_in_transaction_session_timeout = ${idleInTransactionMs};
  set idle_session_timeout = 0;
  set lock_timeout = ${lockMs};
  set exit_on_error = off;
  select
    pg_catalog.set_config('search_path', pg_catalog.min(pg_catalog.quote_ident(space.nspname)), false),
    cast(case when pg_catalog.count(*) operator(pg_catalog.>) 1
      then '${AMBIGUOUS}' else '0' end as pg_catalog.int4)
  from pg_catalog.pg_namespace as space
  join pg_catalog.pg_roles as owner on owner.oid operator(pg_catalog.=) space.nspowner
  join pg_catalog.pg_class as migrations on migrations.relnamespace operator(pg_catalog.=) space.oid
    and migrations.relname operator(pg_catalog.=) 'kysely_migration'
  where space.nspname operator(pg_catalog.=) any (pg_catalog.current_schemas(false))
  and pg_catalog.pg_has_role(migrations.relowner, 'usage')
  and (owner.rolsuper or owner.rolname operator(pg_catalog.=) any (array[current_user, 'pg_database_owner'])
    or exists (select from pg_catalog.pg_database as this
      where this.datname operator(pg_catalog.=) pg_catalog.current_database()
      and this.datdba operator(pg_catalog.=) owner.oid))
  having pg_catalog.count(*) operator(pg_catalog.>) 0;
  set default_transaction_isolation = 'read committed';
  set datestyle = 'ISO';
  set intervalstyle = 'postgres';
  set timezone = 'UTC';
  set jit = off;
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set array_nulls = on;
  set standard_conforming_strings = on;
  set transform_null_equals = off;
  set ${PRINTED_FORM};
  select current_user as user, pg_catalog.current_database() as database`;
