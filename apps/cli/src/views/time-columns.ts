import type { Instant } from '@gatehouse/domain/time';
import type { Column } from '../output/column.ts';
import { dateOf, dateOrAge, shortTime } from './time.ts';

export const CREATED: Column<{ readonly createdAt: Instant }> = {
  title: 'CREATED',
  value: ({ createdAt }) => shortTime(createdAt),
  brief: ({ createdAt }) => dateOf(createdAt),
};

/** A column of a time, which lists at a terminal show by its distance if it is within a day. */
export function timeColumn<Row extends { readonly at: Instant }>(
  title: string,
  timeOf: (row: Row) => Instant | null,
  none = '-',
): Column<Row> {
  const brief = (row: Row) => dateOrAge(timeOf(row), row.at, none);
  return { title, value: (row) => shortTime(timeOf(row), none), brief };
}
