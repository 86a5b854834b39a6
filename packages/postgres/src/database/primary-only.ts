import {
  PostgresDialect,
  PostgresQueryCompiler,
  QueryNode,
  RawNode,
  SelectQueryNode,
  type SqlBool,
  sql,
} from 'kysely';

/** PostgreSQL cannot read this as a boolean, and repeats it in the message of the error. */
const STANDBY = 'gatehouse reached a standby';

const CONDITION = `(select cast(case when pg_is_in_recovery() then '${STANDBY}' else 'true' end as boolean))`;

/**
 * A condition for reads that are written as plain SQL. On a standby it is an error, even where the statement would find
 * nothing: what a standby has replayed may be of any age, and it answers reads without saying so. PostgreSQL evaluates
 * it once, before it reads anything else (a one-time filter).
 */
export const onPrimary = sql.raw<SqlBool>(CONDITION);

/** Whether a statement failed because of `onPrimary`. */
export function isFromStandby({ message }: Error): boolean {
  return message.includes(STANDBY);
}

/** One node, made once: each statement is compiled anew. */
const CONDITION_NODE = RawNode.createWithSql(CONDITION);

class PrimaryOnlyQueryCompiler extends PostgresQueryCompiler {
  override compileQuery(...[node, id]: Parameters<PostgresQueryCompiler['compileQuery']>) {
    const checked = SelectQueryNode.is(node) ? QueryNode.cloneWithWhere(node, CONDITION_NODE) : node;
    return super.compileQuery(checked, id);
  }
}

/**
 * PostgreSQL whose standbys answer no SELECT that kysely builds; they refuse writes by themselves. Each statement has
 * the condition, because a connection pooler may send each one to another server.
 */
export class PrimaryOnlyDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new PrimaryOnlyQueryCompiler();
  }
}
