import type { AccountTokenQuery, TokenCursor, TokenOrder } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { EXPIRY } from '../refusal-conditions.ts';

/** An order of the list. It sorts rows of `tokens`, or of `token_usage as usage` joined with `tokens`. */
interface SqlOrder {
  /**
   * The sort key as an expression, in the form in which an index has it; undefined if only the id decides the order.
   */
  readonly key?: RawBuilder<unknown>;
  /** Converts the value in a cursor to a value of the expression `key`. */
  readonly keyOf: (value: string) => RawBuilder<unknown>;
  /**
   * The operators that compare keys. For text, they compare byte by byte, as the index does, whatever the collation of
   * the database.
   */
  readonly operators: { readonly less: RawBuilder<unknown>; readonly greater: RawBuilder<unknown> };
  readonly descending: boolean;
  readonly id: RawBuilder<unknown>;
}

const TOKEN_ID = sql`tokens.id`;
const PLAIN = { less: sql`<`, greater: sql`>` };
const BYTEWISE = { less: sql`~<~`, greater: sql`~>~` };

const byDay = (descending: boolean): SqlOrder => ({
  // Uses the index token_usage_by_day.
  key: sql`coalesce(usage.last_used_on, '-infinity')`,
  keyOf: (value) => sql`${value === 'never' ? '-infinity' : value}::date`,
  operators: PLAIN,
  descending,
  id: sql`usage.token_id`,
});

const ORDERS: Readonly<Record<TokenOrder, SqlOrder>> = {
  // Uses the indexes tokens_open_by_id and tokens_revoked_by_id.
  newest: { keyOf: () => sql`null`, operators: PLAIN, descending: true, id: TOKEN_ID },
  // Uses the indexes tokens_open_by_name and tokens_revoked_by_name.
  name: {
    key: sql`lower(tokens.name)`,
    keyOf: (value) => sql`lower(${value}::text)`,
    operators: BYTEWISE,
    descending: false,
    id: TOKEN_ID,
  },
  // Uses the indexes tokens_open_by_expiry and tokens_revoked_by_expiry.
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

/** Returns whether the order needs the table `token_usage`, joined as `usage`. */
export function isByUse(order: TokenOrder): boolean {
  return order === 'least_recently_used' || order === 'most_recently_used';
}

/**
 * Returns the parts of a statement that reads a page from its cursor, forwards or backwards, and sorts the page in the
 * order of the list.
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
    // PostgreSQL cannot compare rows byte by byte, so the comparison by key and id is written out. The condition before
    // `and` gives the range of the index.
    const { less, greater } = operators;
    const [strictly, atLeast] = downwards ? [less, sql`~<=~`] : [greater, sql`~>=~`];
    return sql<SqlBool>`(${key} ${atLeast} ${value}
      and (${key} ${strictly} ${value} or ${id} ${operator} ${from.id}::uuid))`;
  };
  const from = cursor === undefined ? undefined : 'before' in cursor ? cursor.before : cursor.after;
  return {
    backwards,
    /** The sort key of a row, for the outer statements. */
    key: key ?? sql`null::text`,
    id,
    /** The ORDER BY list in which rows are read, from the cursor on. */
    reading: by(key, id, downwards),
    /** The order in which rows are read, for a table whose columns `key` and `id` have the key and the id. */
    selected: (table: string) => by(key && sql.ref(`${table}.key`), sql.ref(`${table}.id`), downwards),
    /** The order in which the list shows rows, for a table with the columns `key` and `id`. */
    shown: (table: string) => by(key && sql.ref(`${table}.key`), sql.ref(`${table}.id`), descending),
    /** The condition that a row comes after the cursor in the direction of reading; undefined without a cursor. */
    beyond: from && beyond(from),
  };
}
