import type { Column } from './column.ts';
import type { TableOptions } from './table.ts';

export interface OutputOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly quiet?: true;
  readonly columns?: readonly string[];
  readonly wide?: true;
}

/** How one kind of item is shown: as a document to programs, and in columns to users. */
export interface View<T> {
  readonly document: (item: T) => object;
  readonly columns: readonly Column<T>[];
  /** The note for an empty list without filters: what to do. */
  readonly empty?: string;
  /** Additional columns for a single item. */
  readonly details?: readonly Column<T>[];
  /** Printed below the fields of one item. */
  readonly below?: (item: T, options: TableOptions) => string;
}
