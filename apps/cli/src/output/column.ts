import stringWidth from 'fast-string-truncated-width';
import type { Style } from './style.ts';

export interface Column<Row> {
  readonly title: string;
  /** The full value, for a single item, `--wide`, and pipes. */
  readonly value: (row: Row) => string;
  /** A shorter value for lists at a terminal. Default: `value`. */
  readonly brief?: (row: Row) => string;
  /** Kept if the terminal is too narrow for all columns; the others are left out first, from the right. */
  readonly essential?: true;
  /** Moves to a second line below the row if the essential columns do not fit in one. */
  readonly folds?: true;
  /** May be cut to no less than `READABLE` cells. */
  readonly flexible?: true;
  /** The style of the value, if colours are shown. */
  readonly style?: (row: Row) => Style | undefined;
}

/** The name for `--columns`, such as `last-used`. */
export function nameOf({ title }: { readonly title: string }): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Counts the terminal cells of a text. */
export function cellsOf(text: string): number {
  return stringWidth(text).width;
}

/** Cells between two columns. */
export const GAP = 2;
