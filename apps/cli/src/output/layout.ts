import type { Column } from '@gatehouse/extension-kit/cli';
import stringWidth from 'fast-string-truncated-width';

/** The columns of a list. */
export interface Layout<Row> {
  /** The columns of a row's first line, with their widths in cells. */
  readonly columns: readonly { readonly column: Column<Row>; readonly width: number }[];
  /** The columns of the second line. */
  readonly folded: readonly Column<Row>[];
  /** The columns with the same value in all rows, which is printed once. */
  readonly constant: ReadonlyMap<Column<Row>, string>;
  /** The columns that do not fit into the terminal. */
  readonly omitted: readonly Column<Row>[];
}

/** Minimum width of a flexible column, in cells. */
const READABLE = 16;

/**
 * Chooses the columns that fit the terminal. Leaves out columns with the same value in all rows, and then columns that
 * are not essential, from the right. If the essential columns still do not fit, moves some of them to a second line and
 * cuts the values of flexible columns. The first column and the columns in `kept` always stay.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly string[])[],
  { width, kept }: { readonly width: number; readonly kept: ReadonlySet<Column<Row>> },
): Layout<Row> {
  const cells = new Map(columns.map((column, index) => [column, rows.map((row) => row[index] ?? '')]));
  const widths = new Map(columns.map((column) => [column, naturalWidth(column, cells.get(column) ?? [])]));
  const constant = new Map<Column<Row>, string>();
  for (const column of columns.slice(1)) {
    const [value, ...others] = new Set(cells.get(column));
    const isConstant = rows.length > 1 && value !== undefined && others.length === 0;
    if (isConstant && !kept.has(column)) constant.set(column, value);
  }
  const varying = columns.filter((column) => !constant.has(column));
  const widthOf = (column: Column<Row>) => widths.get(column) ?? 0;
  const fits = (shown: readonly Column<Row>[]) =>
    shown.reduce((sum, column) => sum + GAP + widthOf(column), -GAP) <= width;
  /** Removes columns from the right until the rest fits. */
  const drop = (from: readonly Column<Row>[], mayGo: (column: Column<Row>) => boolean) => {
    let shown = from;
    while (!fits(shown)) {
      const last = shown.findLastIndex((column, index) => index > 0 && mayGo(column));
      if (last < 0) break;
      shown = shown.toSpliced(last, 1);
    }
    return shown;
  };
  /** Narrows the widest flexible column, cell by cell, until all fit or none can be cut further. */
  const cutFlexible = (shown: readonly Column<Row>[]) => {
    while (!fits(shown)) {
      const [widest] = shown.filter(({ flexible }) => flexible).toSorted((a, b) => widthOf(b) - widthOf(a));
      if (!widest || widthOf(widest) <= READABLE) return;
      widths.set(widest, widthOf(widest) - 1);
    }
  };
  const isExtra = (column: Column<Row>) => !column.essential && !kept.has(column);

  const folded: Column<Row>[] = [];
  let shown = drop(varying, isExtra);
  for (const column of varying.filter((each) => each.folds && !kept.has(each))) {
    if (fits(shown)) break;
    folded.push(column);
    const unfolded = varying.filter((each) => !folded.includes(each));
    shown = drop(unfolded, isExtra);
  }
  cutFlexible(shown);
  shown = drop(shown, (column) => !kept.has(column));
  shown = drop(shown, () => true);
  return {
    columns: shown.map((column) => ({ column, width: Math.min(widthOf(column), width) })),
    folded,
    constant,
    omitted: varying.filter((column) => !shown.includes(column) && !folded.includes(column)),
  };
}

function naturalWidth({ title }: { readonly title: string }, cells: readonly string[]): number {
  return cells.reduce((widest, cell) => Math.max(widest, cellsOf(cell)), title.length);
}

/** Returns the name of a column for the option `--columns`, such as `last-used`. */
export function nameOf({ title }: { readonly title: string }): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Counts the terminal cells of a text. */
export function cellsOf(text: string): number {
  return stringWidth(text).width;
}

/** Cells between two columns. */
export const GAP = 2;
