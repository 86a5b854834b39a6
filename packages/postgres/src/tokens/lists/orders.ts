import type { AccountTokenQuery, TokenCursor, TokenOrder } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { EXPIRY } from '../refusal-conditions.ts';

/** An order of `tokens`, or of `token_usage as usage` joined with it. */
interface SqlOrder {
  /** The expression that is compared, in the form of an index; undefined if only the id is. */
  readonly key?: RawBuilder<unknown>;
  /** Converts the value of a cursor to a key. */
  readonly keyOf: (value: string) => RawBuilder<unknown>;
  /** Compares text byte by byte, as the index does, regardless of the database's collation. */
  readonly operators: { readonly less: RawBuilder<unknown>; readonly greater: RawBuilder<unknown> };
  readonly descending: boolean;
  readonly id: RawBuilder<unknown>;
}

const TOKEN_ID = sql`tokens.id`;
const PLAIN = { less: sql`<`, greater: sql`>` };
const BYTEWISE = { less: sql`~<~`, greater: sql`~>~` };

const byDay = (descending: boolean): SqlOrder => ({
  // token_usage_by_day
  key: sql`coalesce(usage.last_used_on, '-infinity')`,
  keyOf: (value) => sql`${value === 'never' ? '-infinity' : value}::date`,
  operators: PLAIN,
  descending,
  id: sql`usage.token_id`,
});

const ORDERS: Readonly<Record<TokenOrder, SqlOrder>> = {
  // tokens_open_by_id, tokens_revoked_by_id
  newest: { keyOf: () => sql`null`, operators: PLAIN, descending: true, id: TOKEN_ID },
  // tokens_open_by_name, tokens_revoked_by_name
  name: {
    key: sql`lower(tokens.name)`,
    keyOf: (value) => sql`lower(${value}::text)`,
    operators: BYTEWISE,
    descending: false,
    id: TOKEN_ID,
  },
  // tokens_open_by_expiry, tokens_revoked_by_expiry
  expiry: {
    key: EXPIRY,
    keyOf: (value) => sql`${value === 'never' ? 'infinity' : value}::timestamptz`,
    operators: PLAIN,
    descending: false,
    id: TOKEN_ID,
  },
  least_recently_used: byDay(false),
  most_recently_used: byDay(true),
};

/** Whether the order needs `token_usage as usage`. */
export function isByUse(order: TokenOrder): boolean {
  return order === 'least_recently_used' || order === 'most_recently_used';
}

/**
 * Returns the parts of a statement that reads a page in its direction from its cursor, and sorts it in the order of
 * the list.
 */
export function readingOf({ order, cursor }: Pick<AccountTokenQuery, 'order' | 'cursor'>) {
  const backwards = cursor !== undefined && 'before' in cursor;
  const { key, keyOf, operators, descending, id } = ORDERS[order];
  const downwards = descending !== backwards;

  /** Returns an ORDER BY list of the key and the id. */
  const by = (keys: RawBuilder<unknown> | undefined, ids: RawBuilder<unknown>, down: boolean) => {
    const using = sql`using ${down ? operators.greater : operators.less}`;
    const last = sql`${ids} ${sql.raw(down ? 'desc' : 'asc')}`;
    return keys === undefined ? last : sql`${keys} ${using}, ${last}`;
  };
  const beyond = (from: TokenCursor) => {
    const operator = downwards ? sql`<` : sql`>`;
    if (key === undefined) return sql<SqlBool>`${id} ${operator} ${from.id}::uuid`;
    const value = keyOf(from.value);
    if (order !== 'name') return sql<SqlBool>`(${key}, ${id}) ${operator} (${value}, ${from.id}::uuid)`;
    // Row comparison has no bytewise operators: the first condition gives the range of the index.
    const { less, greater } = operators;
    const [strictly, atLeast] = downwards ? [less, sql`~<=~`] : [greater, sql`~>=~`];
    return sql<SqlBool>`(${key} ${atLeast} ${value}
      and (${key} ${strictly} ${value} or ${id} ${operator} ${from.id}::uuid))`;
  };
  const from = cursor === undefined ? undefined : 'before' in cursor ? cursor.before : cursor.after;
  return {
    backwards,
    /** The key of a row, for the outer statements. */
    key: key ?? sql`null::text`,
    id,
    /** The order in which rows are read. */
    reading: by(key, id, downwards),
    /** The order in which rows are read, for rows whose key and id were selected as `key` and `id`. */
    selected: (table: string) => by(key && sql.ref(`${table}.key`), sql.ref(`${table}.id`), downwards),
    /** The order of the list, for such rows. */
    shown: (table: string) => by(key && sql.ref(`${table}.key`), sql.ref(`${table}.id`), descending),
    /** Whether a row is beyond the cursor. */
    beyond: from && beyond(from),
  };
}
