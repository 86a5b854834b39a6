import type { Instant } from '@gatehouse/domain/time';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { dateOrAge } from './time.ts';

/** A time in full; lists at a terminal show its date or, within a day of now, its distance. */
export function timeColumn<Row extends { readonly at: Instant }>(
  title: string,
  timeOf: (row: Row) => Instant | null,
  none = '-',
): Column<Row> {
  const brief = (row: Row) => dateOrAge(timeOf(row), row.at, none);
  return { title, value: (row) => shortTime(timeOf(row), none), brief };
}
