import type { Spread } from '../statistics.ts';
import { figure, markdownTable, withSpread } from './markdown.ts';

/** A limit and what was measured. */
export interface Bar {
  readonly what: string;
  readonly limit: number;
  readonly is: 'at most' | 'at least';
  /** With its spread, if each round has a value. */
  readonly measured: number | Spread;
  readonly unit: string;
  /** The goal, if it is stricter than the limit. */
  readonly goal?: number | undefined;
}

/** A bar whose measure may not be greater. */
export const atMost = (
  what: string,
  limit: number,
  unit: string,
  measured: Bar['measured'],
  goal?: number,
): Bar => ({ what, limit, is: 'at most', measured, unit, goal });

/** A bar whose measure may not be less. */
export const atLeast = (...of: Parameters<typeof atMost>): Bar => ({ ...atMost(...of), is: 'at least' });

export function isHeld({ limit, is, measured }: Bar): boolean {
  const value = typeof measured === 'number' ? measured : measured.middle;
  return is === 'at most' ? value <= limit : value >= limit;
}

export function barsTable(bars: readonly Bar[]): string {
  return markdownTable(
    ['what', 'limit', 'measured', ''],
    bars.map((bar) => [
      bar.what,
      `${bar.is} ${figure(bar.limit)} ${bar.unit}${bar.goal === undefined ? '' : ` (goal ${figure(bar.goal)})`}`,
      typeof bar.measured === 'number'
        ? `${figure(bar.measured)} ${bar.unit}`
        : withSpread(bar.measured, ` ${bar.unit}`),
      isHeld(bar) ? 'held' : '**missed**',
    ]),
  );
}
