import stringWidth from 'fast-string-truncated-width';
import { printable } from './printable.ts';
import { type Style, styled } from './style.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** May be cut where the terminal is too narrow; identifiers may not. */
  readonly flexible?: boolean;
  /** Where colours are shown. */
  readonly style?: (row: Row) => Style | undefined;
}

export interface TableOptions {
  /** In cells of the terminal; without it lines are as long as they are. */
  readonly width?: number | undefined;
  readonly inColour?: boolean;
}

/** A table that is written in pieces, a line a row. */
export interface Table<Row> {
  /** The next rows. The first of them, and the titles, decide how wide the columns are; a wider row is so alone. */
  rows(rows: readonly Row[]): string;
}

const GAP = 2;
const NARROWEST = 8;
const GRAPHEMES = new Intl.Segmenter();

/** Aligned columns under their titles, one row a line; cut to the width if there is one. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options?: TableOptions,
): string {
  return createTable(columns, options).rows(rows);
}

export function createTable<Row>(
  columns: readonly Column<Row>[],
  { width = Number.POSITIVE_INFINITY, inColour = false }: TableOptions = {},
): Table<Row> {
  let widths: readonly number[] | undefined;
  return {
    rows(rows) {
      const lines: Line[] = rows.map((row) => ({
        cells: columns.map(({ value }) => printable(value(row))),
        styles: columns.map(({ style }) => style?.(row)),
      }));
      if (widths === undefined) {
        lines.unshift({ cells: columns.map(({ title }) => title), styles: columns.map(() => 'dim') });
        widths = columnWidths(columns, lines, width);
      }
      const fitting = widths;
      return lines
        .map(({ cells, styles }) => {
          const padded = cells.map((cell, index) => fit(cell, fitting[index] ?? 0, columns[index]));
          const line = cut(padded.join(' '.repeat(GAP)).trimEnd(), width);
          return `${inColour ? painted(line, padded, styles) : line}\n`;
        })
        .join('');
    },
  };

  function fit(cell: string, room: number, column: Column<Row> | undefined): string {
    const shown = column?.flexible && width !== Number.POSITIVE_INFINITY ? cut(cell, room) : cell;
    return shown + ' '.repeat(Math.max(0, room - stringWidth(shown).width));
  }
}

interface Line {
  readonly cells: readonly string[];
  readonly styles: readonly (Style | undefined)[];
}

/** The line with its cells in their styles, of which the last may be cut and those after it missing. */
function painted(line: string, padded: readonly string[], styles: Line['styles']): string {
  let start = 0;
  return padded
    .map((cell, index) => {
      const end = start + cell.length;
      const [shown, gap] = [line.slice(start, end), line.slice(end, end + GAP)];
      start = end + GAP;
      const style = styles[index];
      return style === undefined
        ? shown + gap
        : styled(shown.trimEnd(), style) + shown.slice(shown.trimEnd().length) + gap;
    })
    .join('');
}

function columnWidths<Row>(
  columns: readonly Column<Row>[],
  lines: readonly Line[],
  width: number,
): readonly number[] {
  const widths = columns.map((_, index) =>
    lines.reduce((widest, { cells }) => Math.max(widest, stringWidth(cells[index] ?? '').width), 0),
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
