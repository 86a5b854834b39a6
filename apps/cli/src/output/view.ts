import type { View } from '@gatehouse/extension-kit/cli';
import type { TableOptions } from './table.ts';

export interface OutputOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly quiet?: true;
  readonly columns?: readonly string[];
  readonly wide?: true;
}

/** The view of a single item. */
export interface ItemView<T> extends View<T> {
  /** Printed below the fields. */
  readonly below?: (item: T, options: TableOptions) => string;
}
