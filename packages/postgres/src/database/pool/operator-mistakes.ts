import type pg from 'pg';

/** The role and the database of a session, for the statements that fix a mistake. */
export interface OpenedAs {
  readonly user: string;
  readonly database: string;
}

type ServerError = Pick<pg.DatabaseError, 'code' | 'message' | 'routine'>;

type Mend = (error: ServerError, as: OpenedAs) => string | undefined;

/**
 * Key words of SQL that an operator may use as the name of a role or database. SQL needs quotes around such a name.
 */
const RESERVED = new Set(['all', 'default', 'end', 'group', 'order', 'table', 'user']);

/** Writes a name for SQL, in quotes if SQL needs them. */
function quoted(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name);
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Writes a name for a shell, in quotes if a shell needs them. */
function inShell(name: string): string {
  return /^[\w.][\w.-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** Matches PostgreSQL's English message for a missing privilege (`aclcheck_error`). */
const DENIED = /^(?<reason>permission denied for|must be owner of) (?<kind>\w+) (?<name>.+)$/;

const SEARCH_PATH =
  'the search_path of the role or the database has to begin with a schema that the role may use: `gatehouse doctor` shows the fix';

const OF_SYSTEM = / (?:schema |to create ")pg_/;

const grantTo: Mend = ({ message }, { user }) => {
  const role = quoted(user);
  // The message is about a system schema, where no role may create anything.
  if (OF_SYSTEM.test(message)) return SEARCH_PATH;
  const { reason = '', kind = '', name = '' } = DENIED.exec(message)?.groups ?? {};
  if (reason.startsWith('must'))
    return `as the owner of the ${kind} or a superuser, run \`alter ${kind} ${name} owner to ${role};\``;
  switch (kind) {
    case 'database':
      return `as the owner of the database, run \`grant connect, create on database ${quoted(name)} to ${role};\``;
    case 'schema':
      return `as the owner of the schema, run \`grant usage, create on schema ${quoted(name)} to ${role};\``;
    case 'table':
    case 'sequence':
      return `the role that migrates has to own everything in the schema: as a superuser of PostgreSQL, run \`alter ${kind} ${quoted(name)} owner to ${role};\`, and the same for each ${kind} that another role owns`;
    default:
      return `make ${role} the owner of the tables, and grant it the rights usage and create on their schema`;
  }
};

const NOT_THESE_TABLES: Mend = () =>
  'some tables of this version are missing, or the search_path of the role or the database does not contain their schema: `gatehouse doctor` says which of the two is the case; a dump has to be restored completely';

const NO_PREPARED_STATEMENTS: Mend = () =>
  'a connection pooler sends prepared statements to sessions in which they were not prepared: in pgbouncer.ini, set max_prepared_statements = 100 (from PgBouncer 1.21 on; before 1.24 the default is 0), or set pool_mode = session';

/** Fixes for mistakes in the set-up of a database, by the SQLSTATE of the failed statement. */
const OF_STATEMENTS: Readonly<Record<string, Mend>> = {
  // PostgreSQL's error insufficient_privilege.
  '42501': grantTo,
  // PostgreSQL's errors undefined_table, undefined_column, invalid_schema_name.
  '42P01': NOT_THESE_TABLES,
  '42703': NOT_THESE_TABLES,
  '3F000': () => SEARCH_PATH,
  // PostgreSQL's errors invalid_sql_statement_name, duplicate_prepared_statement.
  '26000': NO_PREPARED_STATEMENTS,
  '42P05': NO_PREPARED_STATEMENTS,
  // PostgreSQL's error protocol_violation, which PgBouncer uses for its own refusals.
  '08P01': ({ message }) =>
    message.includes('statement pooling')
      ? 'set pool_mode = transaction or pool_mode = session in pgbouncer.ini, because Gatehouse makes changes in transactions'
      : undefined,
};

/** Explains that a time limit ended a session before the session could lift that limit. */
const tooShort = (setting: string, { user, database }: OpenedAs) =>
  `a ${setting} of the role or the database may leave no time to open a session: run \`alter role ${quoted(user)} reset ${setting}; alter database ${quoted(database)} reset ${setting};\``;

/** Fixes for mistakes in the set-up of a database, by the SQLSTATE of the failed connection. */
const OF_CONNECTIONS: Readonly<Record<string, Mend>> = {
  // PostgreSQL's error invalid_password.
  '28P01': () => 'check the user and the password of DATABASE_URL',
  // PostgreSQL's error invalid_authorization_specification.
  '28000': ({ message }, { user }) => {
    if (message.includes('pg_hba.conf'))
      return 'the server’s pg_hba.conf has to allow this role to connect from this machine: add a line for the role';
    if (/^role .+ does not exist$/.test(message))
      return `as a superuser of PostgreSQL, run \`createuser --pwprompt -- ${inShell(user)}\``;
    if (/not permitted to log in$/.test(message))
      return `as a superuser of PostgreSQL, run \`alter role ${quoted(user)} login;\``;
    return undefined;
  },
  // PostgreSQL's error invalid_catalog_name.
  '3D000': (_, { user, database }) =>
    `as a superuser of PostgreSQL, run \`createdb --owner=${inShell(user)} --encoding=UTF8 --template=template0 -- ${inShell(database)}\``,
  '42501': (_, { user, database }) =>
    `as the database's owner, run \`grant connect on database ${quoted(database)} to ${quoted(user)};\``,
  // PostgreSQL's error too_many_connections.
  '53300': () =>
    'lower DATABASE_POOL_SIZE, or raise max_connections of the server or the connection limit of the role or the database',
  // PostgreSQL's error undefined_file.
  '58P01': () =>
    'if the file is a library, remove it from local_preload_libraries or session_preload_libraries of the role or the database',
  // PostgreSQL's error object_not_in_prerequisite_state.
  '55000': (_, { database }) =>
    `as a superuser of PostgreSQL, run \`alter database ${quoted(database)} allow_connections true;\``,
  // PostgreSQL's errors query_canceled, idle_session_timeout, transaction_timeout.
  '57014': (_, as) => tooShort('statement_timeout', as),
  '57P05': (_, as) => tooShort('idle_session_timeout', as),
  '25P04': (_, as) => tooShort('transaction_timeout', as),
  // PostgreSQL's error protocol_violation.
  '08P01': ({ message }) => {
    const [, parameter] = /unsupported startup parameter:? "?(\w+)/.exec(message) ?? [];
    if (parameter) return `set ignore_startup_parameters = ${parameter} in pgbouncer.ini`;
    if (message === 'SASL authentication failed') return 'check the user and the password of DATABASE_URL';
    const [, missing] = /no such (database|user)\b/.exec(message) ?? [];
    return (
      missing &&
      `add it to ${missing === 'user' ? 'the auth_file of PgBouncer' : '[databases] in pgbouncer.ini'}`
    );
  },
};

/** Returns whether a statement failed because a connection pooler does not support prepared statements. */
export function isOfPooler({ code }: { readonly code?: string | undefined }): boolean {
  return code !== undefined && OF_STATEMENTS[code] === NO_PREPARED_STATEMENTS;
}

/**
 * The routine of PostgreSQL that reports the errors of Gatehouse's triggers. These errors are no mistakes of an
 * operator.
 */
const RAISED = 'exec_stmt_raise';

/** Returns the fix for a failed statement; undefined if no mistake in the set-up is known. */
export function mendOfStatement(error: ServerError, as: OpenedAs): string | undefined {
  return error.routine === RAISED ? undefined : OF_STATEMENTS[error.code ?? '']?.(error, as);
}

/** Returns the fix for a connection that could not be opened. */
export function mendOfConnection(error: ServerError, as: OpenedAs): string | undefined {
  return OF_CONNECTIONS[error.code ?? '']?.(error, as) ?? mendOfStatement(error, as);
}
