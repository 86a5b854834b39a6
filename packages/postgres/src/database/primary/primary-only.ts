import type { SqlBool } from 'kysely';
import { OffsetNode, PostgresQueryCompiler, QueryNode, RawNode, SelectQueryNode, sql } from 'kysely';

/**
 * PostgreSQL cannot parse this text as a boolean, and repeats it in the error message, where `isFromStandby` finds it.
 */
const STANDBY = 'gatehouse reached a standby';

const onPrimaryOnly = (value: string, type: string) =>
  `cast(case when pg_is_in_recovery() then '${STANDBY}' else '${value}' end as ${type})`;

const CONDITION = `(select ${onPrimaryOnly('true', 'boolean')})`;

/**
 * A condition for reads in plain SQL. It makes the statement fail on a standby, even if the statement would find no
 * row. Without it, a standby would answer with outdated data. PostgreSQL evaluates the condition once, before it reads
 * anything else (a one-time filter).
 */
export const onPrimary = sql.raw<SqlBool>(CONDITION);

/** Returns whether a statement failed because of `onPrimary`. */
export function isFromStandby({ message }: Error): boolean {
  return message.includes(STANDBY);
}

/** Created once, because kysely compiles each statement again. */
const CONDITION_NODE = RawNode.createWithSql(CONDITION);
const OFFSET_NODE = OffsetNode.create(RawNode.createWithSql(onPrimaryOnly('0', 'bigint')));

/**
 * Adds the condition, which fails on a standby, to a SELECT. If the SELECT has no limit, the condition becomes its
 * offset, which PostgreSQL also evaluates once, before it reads anything. An offset is cheaper: it passes rows on
 * unchanged, while a one-time filter copies each column. In a SELECT with a limit, the planner does not know the value
 * of such an offset, and would expect to read more rows.
 */
function checked(node: SelectQueryNode): SelectQueryNode {
  return node.limit || node.offset || node.fetch
    ? QueryNode.cloneWithWhere(node, CONDITION_NODE)
    : SelectQueryNode.cloneWithOffset(node, OFFSET_NODE);
}

/**
 * Compiles SELECTs so that they fail on standbys; standbys refuse writes anyway. The condition for that is added to
 * every SELECT, because a connection pooler may send each statement to another server.
 */
export class PrimaryOnlyQueryCompiler extends PostgresQueryCompiler {
  override compileQuery(...[node, id]: Parameters<PostgresQueryCompiler['compileQuery']>) {
    return super.compileQuery(SelectQueryNode.is(node) ? checked(node) : node, id);
  }
}
