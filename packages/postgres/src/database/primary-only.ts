import {
  OffsetNode,
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

const onPrimaryOnly = (value: string, type: string) =>
  `cast(case when pg_is_in_recovery() then '${STANDBY}' else '${value}' end as ${type})`;

const CONDITION = `(select ${onPrimaryOnly('true', 'boolean')})`;

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

/** Made once, because each statement is compiled anew. */
const CONDITION_NODE = RawNode.createWithSql(CONDITION);
const OFFSET_NODE = OffsetNode.create(RawNode.createWithSql(onPrimaryOnly('0', 'bigint')));

/**
 * Where there is no limit the offset checks, which PostgreSQL also evaluates once and first: it passes rows on as they
 * are, while a filter before all others copies each column. To a limit, an offset that is not known when the statement
 * is planned adds a guess of how many rows are read.
 */
function checked(node: SelectQueryNode): SelectQueryNode {
  return node.limit || node.offset || node.fetch
    ? QueryNode.cloneWithWhere(node, CONDITION_NODE)
    : SelectQueryNode.cloneWithOffset(node, OFFSET_NODE);
}

class PrimaryOnlyQueryCompiler extends PostgresQueryCompiler {
  override compileQuery(...[node, id]: Parameters<PostgresQueryCompiler['compileQuery']>) {
    return super.compileQuery(SelectQueryNode.is(node) ? checked(node) : node, id);
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
