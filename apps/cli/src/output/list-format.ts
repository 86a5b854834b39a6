import { printableJson } from './printable.ts';
import type { OutputOptions, View } from './printer.ts';
import { createTable, type TableOptions } from './table.ts';

/** How a list is written while it is read: a piece for each page, and what remains to be said after the last. */
export interface ListFormat<T> {
  page(items: readonly T[]): string;
  end(): string;
}

export function listFormat<T>(
  { json, jsonl }: OutputOptions,
  view: View<T>,
  options: TableOptions,
): ListFormat<T> {
  if (jsonl) return jsonLines(view);
  return json ? jsonArray(view) : table(view, options);
}

function jsonLines<T>({ document }: View<T>): ListFormat<T> {
  return {
    page: (items) => items.map((item) => `${printableJson(document(item))}\n`).join(''),
    end: () => '',
  };
}

/** What `printableJson` makes of the whole list, indented by two. */
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

function table<T>(view: View<T>, options: TableOptions): ListFormat<T> {
  const { rows } = createTable(view.columns, options);
  let begun = false;
  return {
    page(items) {
      begun = true;
      return rows(items);
    },
    end: () => (begun ? '' : rows([])),
  };
}
