import type { Instant } from '@gatehouse/domain/time';
import type { Column } from '../output/column.ts';
import { dateOf, shortTime } from './time.ts';

export const CREATED: Column<{ readonly createdAt: Instant }> = {
  title: 'CREATED',
  value: ({ createdAt }) => shortTime(createdAt),
  brief: ({ createdAt }) => dateOf(createdAt),
};
