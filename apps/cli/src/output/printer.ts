import type { Streams } from '../cli.ts';
import { listFormat } from './list-format.ts';
import { printable, printableJson } from './printable.ts';
import { staySmall } from './small-heap.ts';
import { type Style, takesColour } from './style.ts';
import { type Column, formatTable, type TableOptions } from './table.ts';
import { offer, write } from './write.ts';

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
  /** What is said of it below that. */
  readonly story?: (item: T, options: TableOptions) => string;
}

/** Where a reader has closed standard output, only `secret` rejects: for everything else the reader had enough. */
export interface Printer {
  /** Says something to a person, on standard error. */
  note(text: string): Promise<void>;
  /** Prints the one thing that a program wants: bare, or inside its document. */
  value(bare: string, document: object): Promise<void>;
  /** As `value`, for what is lost unless it is read: rejects also where standard output is closed. */
  secret(bare: string, document: object): Promise<void>;
  /** Prints what a program wants only if it asked for it. */
  document(document: object): Promise<void>;
  item<T>(item: T, view: View<T>): Promise<void>;
  /**
   * Prints each page before it takes the next, so that the first is seen at once and none is kept. Takes no more of
   * them once standard output is closed.
   */
  list<T>(pages: Iterable<readonly T[]> | AsyncIterable<readonly T[]>, view: View<T>): Promise<void>;
}

export function createPrinter({ stdout, stderr }: Streams, options: OutputOptions): Printer {
  const print = async (text: string): Promise<void> => void (await offer(stdout, text));
  const json = (value: unknown) => `${printableJson(value, 2)}\n`;
  const width = stdout.isTTY ? stdout.columns : undefined;
  const table = { width, inColour: takesColour(stdout) };

  return {
    async note(text) {
      // That nobody listens to remarks is no failure.
      if (!options.quiet) await write(stderr, `${printable(text)}\n`).catch(() => undefined);
    },

    value: (bare, document) => print(options.json ? json(document) : `${bare}\n`),

    secret: (bare, document) => write(stdout, options.json ? json(document) : `${bare}\n`),

    async document(document) {
      if (options.json) await print(json(document));
    },

    async item(item, view) {
      if (options.json) return print(json(view.document(item)));
      const fields = [...view.columns, ...(view.details ?? [])];
      const rows = fields.map(({ title, value, style }) => ({
        title,
        value: value(item),
        style: style?.(item),
      }));
      const text = formatTable(PAIR, rows, table);
      const story = view.story ? `\n${view.story(item, table)}` : '';
      await print(text.slice(text.indexOf('\n') + 1) + story);
    },

    async list(pages, view) {
      staySmall();
      const format = listFormat(options, view, table);
      for await (const page of pages) if (!(await offer(stdout, format.page(page)))) return;
      await print(format.end());
    },
  };
}

interface Pair {
  readonly title: string;
  readonly value: string;
  readonly style: Style | undefined;
}

const PAIR: readonly Column<Pair>[] = [
  { title: '', value: ({ title }) => title, style: () => 'dim' },
  { title: '', value: ({ value }) => value, flexible: true, style: ({ style }) => style },
];
