import { figure, markdownTable } from './markdown.ts';

/** A limit and what was measured. */
export interface Bar {
  readonly what: string;
  readonly limit: number;
  readonly is: 'at most' | 'at least';
  readonly measured: number;
  readonly unit: string;
}

/** A bar whose measure may not be greater. */
export const atMost = (what: string, limit: number, unit: string, measured: number): Bar => ({
  what,
  limit,
  is: 'at most',
  measured,
  unit,
});

/** A bar whose measure may not be less. */
export const atLeast = (...of: Parameters<typeof atMost>): Bar => ({ ...atMost(...of), is: 'at least' });

export function isHeld({ limit, is, measured }: Bar): boolean {
  return is === 'at most' ? measured <= limit : measured >= limit;
}

export function barsTable(bars: readonly Bar[]): string {
  return markdownTable(
    ['what', 'limit', 'measured', ''],
    bars.map((bar) => [
      bar.what,
      `${bar.is} ${figure(bar.limit)} ${bar.unit}`,
      `${figure(bar.measured)} ${bar.unit}`,
      isHeld(bar) ? 'held' : '**missed**',
    ]),
  );
}
