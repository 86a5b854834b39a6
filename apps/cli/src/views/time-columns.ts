import type { Instant } from '@gatehouse/domain/time';
import type { Column } from '../output/column.ts';
import { dateOf, dateOrAge, shortTime } from './time.ts';

/** For rows without the current time: lists at a terminal show the date. */
export const CREATED: Column<{ readonly createdAt: Instant }> = {
  title: 'CREATED',
  value: ({ createdAt }) => shortTime(createdAt),
  brief: ({ createdAt }) => dateOf(createdAt),
};

/** A time in full; lists at a terminal show its date or, within a day of now, its distance. */
export function timeColumn<Row extends { readonly at: Instant }>(
  title: string,
  timeOf: (row: Row) => Instant | null,
  none = '-',
): Column<Row> {
  const brief = (row: Row) => dateOrAge(timeOf(row), row.at, none);
  return { title, value: (row) => shortTime(timeOf(row), none), brief };
}
