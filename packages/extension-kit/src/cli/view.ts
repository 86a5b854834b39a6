export type Style = 'dim' | 'green' | 'yellow' | 'red';

export interface Column<Row> {
  readonly title: string;
  /** The full value. It is shown for a single item, with `--wide`, and if the output is not a terminal. */
  readonly value: (row: Row) => string;
  /** A shorter value for lists at a terminal. Default: `value`. */
  readonly brief?: (row: Row) => string;
  /** Shown even if the terminal is too narrow for all columns. Other columns are left out first, from the right. */
  readonly essential?: true;
  /** If the essential columns do not fit in one line, this column is shown in a second line below the row. */
  readonly folds?: true;
  /** The values may be cut if the essential columns do not fit. At least 16 cells of the column stay. */
  readonly flexible?: true;
  /** The style of the value in terminals with colours. */
  readonly style?: (row: Row) => Style | undefined;
}

/** How one kind of item is shown: as a document to programs, and in columns to users. */
export interface View<T> {
  readonly document: (item: T) => object;
  readonly columns: readonly Column<T>[];
  /** The note instead of an empty list without filters. It says how to create the first item. */
  readonly empty?: string;
  /** Additional columns for a single item. */
  readonly details?: readonly Column<T>[];
}
