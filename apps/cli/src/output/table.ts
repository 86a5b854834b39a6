import stringWidth from 'fast-string-truncated-width';
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** May be cut where the terminal is too narrow; identifiers may not. */
  readonly flexible?: boolean;
}

const GAP = 2;
const NARROWEST = 8;
const GRAPHEMES = new Intl.Segmenter();

/** Aligned columns, one row a line; cut to `width` cells if given. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ];
  const widths = columnWidths(columns, cells, width);
  return cells
    .map((line) => {
      const padded = line.map((cell, index) => fit(cell, widths[index] ?? 0)).join(' '.repeat(GAP));
      return `${cut(padded.trimEnd(), width)}\n`;
    })
    .join('');
}

function columnWidths<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const widths = columns.map((_, index) =>
    cells.reduce((widest, line) => Math.max(widest, stringWidth(line[index] ?? '').width), 0),
  );
  const total = () => widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1));
  while (total() > width) {
    const flexible = widths.map((each, index) => (columns[index]?.flexible ? each : 0));
    const widest = Math.max(...flexible);
    if (widest <= NARROWEST) break;
    widths[flexible.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function fit(cell: string, width: number): string {
  const shown = cut(cell, width);
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown).width));
}

function cut(text: string, width: number): string {
  if (stringWidth(text).width <= width) return text;
  let shown = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (stringWidth(shown + segment).width >= width) break;
    shown += segment;
  }
  return `${shown}…`;
}
