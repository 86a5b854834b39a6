import stringWidth from 'fast-string-truncated-width';
import type { Style } from './style.ts';

export interface Column<Row> {
  readonly title: string;
  /** In full: for a single thing, for `--wide`, and for pipes. */
  readonly value: (row: Row) => string;
  /** Shorter, for a list at a terminal; the default is `value`. */
  readonly brief?: (row: Row) => string;
  /** Stays where the terminal is too narrow for all columns; the others go first, from the right. */
  readonly essential?: true;
  /** Moves to a second line below the row where the essential columns do not fit in one. */
  readonly folds?: true;
  /** May be cut, but not below `READABLE` cells, where it does not fit otherwise. */
  readonly flexible?: true;
  /** Where colours are shown. */
  readonly style?: (row: Row) => Style | undefined;
}

/** The column as `--columns` takes it: `last-used`. */
export function nameOf({ title }: { readonly title: string }): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Cells of a terminal. */
export function cellsOf(text: string): number {
  return stringWidth(text).width;
}

/** Cells between two columns. */
export const GAP = 2;
