import type { Spread } from '../statistics.ts';

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Three digits that count, and thousands apart: 0.123, 12.3, 12,300. */
export function figure(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: true });
}

export function megabytes(bytes: number): string {
  return figure(Math.round(bytes / 1e6));
}

/** The median, and in brackets the quartiles. */
export function withSpread({ low, middle, high }: Spread, unit = ''): string {
  return `${figure(middle)}${unit} (${figure(low)}–${figure(high)})`;
}
