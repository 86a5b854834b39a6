import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { Column } from './view.ts';

/** Formats a time for users, without fractions of a second. */
export function shortTime(instant: Instant | null, none = '-'): string {
  return instant === null ? none : formatInstant(instant).replace(/\.\d+Z$/, 'Z');
}

export function dateOf(instant: Instant): string {
  return formatInstant(instant).slice(0, 'yyyy-mm-dd'.length);
}

/** The column with the time at which an item was created. Lists at a terminal show only the date. */
export const CREATED: Column<{ readonly createdAt: Instant }> = {
  title: 'CREATED',
  value: ({ createdAt }) => shortTime(createdAt),
  brief: ({ createdAt }) => dateOf(createdAt),
};
