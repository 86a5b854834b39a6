import stringWidth from 'fast-string-truncated-width';
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** May be cut where the terminal is too narrow; identifiers may not. */
  readonly flexible?: boolean;
}

/** A table that is written in pieces, a line a row. */
export interface Table<Row> {
  /** The next rows. The first of them, and the titles, decide how wide the columns are; a wider row is so alone. */
  rows(rows: readonly Row[]): string;
}

const GAP = 2;
const NARROWEST = 8;
const GRAPHEMES = new Intl.Segmenter();

/** Aligned columns under their titles, one row a line; cut to `width` cells if given. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): string {
  return createTable(columns, width).rows(rows);
}

export function createTable<Row>(
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): Table<Row> {
  let widths: readonly number[] | undefined;
  return {
    rows(rows) {
      const lines = rows.map((row) => columns.map(({ value }) => printable(value(row))));
      if (widths === undefined) {
        lines.unshift(columns.map(({ title }) => title));
        widths = columnWidths(columns, lines, width);
      }
      const fitting = widths;
      return lines
        .map((line) => {
          const padded = line.map((cell, index) => fit(cell, fitting[index] ?? 0, columns[index]));
          return `${cut(padded.join(' '.repeat(GAP)).trimEnd(), width)}\n`;
        })
        .join('');
    },
  };

  function fit(cell: string, room: number, column: Column<Row> | undefined): string {
    const shown = column?.flexible && width !== Number.POSITIVE_INFINITY ? cut(cell, room) : cell;
    return shown + ' '.repeat(Math.max(0, room - stringWidth(shown).width));
  }
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

function cut(text: string, width: number): string {
  if (text.length <= width && ASCII.test(text)) return text;
  if (stringWidth(text).width <= width) return text;
  let shown = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (stringWidth(shown + segment).width >= width) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** Each character of it is one cell. */
const ASCII = /^[ -~]*$/;
