import type { View } from '@gatehouse/extension-kit/cli';
import { printableJson } from './printable.ts';
import { createTable, type TableOptions } from './table.ts';
import type { OutputOptions } from './view.ts';

/** Formats a list while it is read, page by page. */
interface ListFormat<T> {
  page(items: readonly T[]): string;
  /** Returns the end of the list. Default: nothing. */
  end?(): string;
  /** Returns notes for users after the list. Default: none. */
  remarks?(): readonly string[];
}

export function listFormat<T>({ json, jsonl }: OutputOptions, view: View<T>, options: TableOptions) {
  if (jsonl) return jsonLines(view);
  return json ? jsonArray(view) : table(view, options);
}

function jsonLines<T>({ document }: View<T>): ListFormat<T> {
  return {
    page: (items) => items.map((item) => `${printableJson(document(item))}\n`).join(''),
  };
}

/** Formats the whole list as `printableJson` does, indented by two. */
function jsonArray<T>({ document }: View<T>): ListFormat<T> {
  let before = '[\n';
  let after = '[]\n';
  return {
    page(items) {
      const elements = items.map((item) => printableJson([document(item)], 2).slice(2, -2));
      if (elements.length === 0) return '';
      const text = before + elements.join(',\n');
      before = ',\n';
      after = '\n]\n';
      return text;
    },
    end: () => after,
  };
}

function table<T>({ columns, empty }: View<T>, options: TableOptions): ListFormat<T> {
  const { rows, remarks } = createTable(columns, options);
  let begun = false;
  return {
    page(items) {
      if (items.length === 0) return '';
      begun = true;
      return rows(items);
    },
    // If the list is empty, users at a terminal see a note. Programs that read the output get only the titles of the
    // columns.
    end: () => (begun || options.width !== undefined ? '' : rows([])),
    remarks() {
      if (begun) return remarks();
      const { filtered, unmatched = 'Nothing matches. Leave out filters to see more.' } = options;
      const nothing = filtered?.length ? unmatched : empty;
      return nothing === undefined ? [] : [nothing];
    },
  };
}
