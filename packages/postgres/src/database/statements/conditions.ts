import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

export type Condition = RawBuilder<SqlBool>;

/** A time in a statement. */
export type Moment = RawBuilder<Instant>;

/** Makes a statement parameter from an instant, or from its RFC 3339 text. */
export const moment = (at: Instant | string): Moment =>
  sql`${typeof at === 'number' ? formatInstant(at) : at}::timestamptz`;

export const not = (condition: Condition): Condition => sql`not (${condition})`;

export const and = (...conditions: readonly RawBuilder<unknown>[]): Condition =>
  sql`${sql.join(conditions, sql` and `)}`;

export const or = (...conditions: readonly RawBuilder<unknown>[]): Condition =>
  sql`(${sql.join(conditions, sql` or `)})`;
