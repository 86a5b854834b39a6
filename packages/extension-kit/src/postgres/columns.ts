import type { Instant } from '@gatehouse/domain/time';
import type { ColumnType } from 'kysely';

/** timestamptz(3): read as an `Instant`, written as RFC 3339 text (`formatInstant`). */
export type Timestamp = ColumnType<Instant, string, string>;
export type NullableTimestamp = ColumnType<Instant | null, string | null, string | null>;

/**
 * jsonb: read as the parsed value, written as JSON text. The driver pg would write an array as a PostgreSQL array, not
 * as JSON.
 */
export type Json<T> = ColumnType<T, string, string>;
