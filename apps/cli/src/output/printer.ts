import type { Streams } from '../cli.ts';
import { listFormat } from './list-format.ts';
import { printable } from './printable.ts';
import { type Column, formatTable } from './table.ts';
import { write } from './write.ts';

export interface OutputOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly quiet?: true;
}

/** How one kind of thing is shown: to programs as a document, to people as columns. */
export interface View<T> {
  readonly document: (item: T) => object;
  readonly columns: readonly Column<T>[];
  /** Shown besides where there is only one. */
  readonly details?: readonly Column<T>[];
  /** What is said of it below that, in lines of at most so many cells. */
  readonly story?: (item: T, width: number | undefined) => string;
}

export interface Printer {
  /** Says something to a person, on standard error. */
  note(text: string): Promise<void>;
  /** Prints the one thing that a program wants: bare, or inside its document. */
  value(bare: string, document: object): Promise<void>;
  /** Prints what a program wants only if it asked for it. */
  document(document: object): Promise<void>;
  item<T>(item: T, view: View<T>): Promise<void>;
  /** Prints each page before it takes the next, so that the first is seen at once and none is kept. */
  list<T>(pages: Iterable<readonly T[]> | AsyncIterable<readonly T[]>, view: View<T>): Promise<void>;
}

export function createPrinter({ stdout, stderr }: Streams, options: OutputOptions): Printer {
  const json = (value: unknown) => write(stdout, `${JSON.stringify(value, null, 2)}\n`);
  const columns = stdout.isTTY ? stdout.columns : undefined;

  return {
    async note(text) {
      // That nobody listens to remarks is no failure.
      if (!options.quiet) await write(stderr, `${printable(text)}\n`).catch(() => undefined);
    },

    value: (bare, document) => (options.json ? json(document) : write(stdout, `${bare}\n`)),

    async document(document) {
      if (options.json) await json(document);
    },

    async item(item, view) {
      if (options.json) return json(view.document(item));
      const fields = [...view.columns, ...(view.details ?? [])];
      const rows = fields.map(({ title, value }) => [title, value(item)] as const);
      const table = formatTable(PAIR, rows, columns);
      const story = view.story ? `\n${view.story(item, columns)}` : '';
      await write(stdout, table.slice(table.indexOf('\n') + 1) + story);
    },

    async list(pages, view) {
      const format = listFormat(options, view, columns);
      for await (const page of pages) await write(stdout, format.page(page));
      await write(stdout, format.end());
    },
  };
}

const PAIR: readonly Column<readonly [string, string]>[] = [
  { title: '', value: ([title]) => title },
  { title: '', value: ([, value]) => value, flexible: true },
];
