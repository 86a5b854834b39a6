import type { Column, View } from '@gatehouse/extension-kit/cli';
import type { Cli } from '../cli.ts';
import { Interrupted } from '../errors/command-error.ts';
import { GAP } from './layout.ts';
import { listFormat } from './list-format.ts';
import { printable, printableJson } from './printable.ts';
import { type PrintAbove, type SayProgress, withProgress } from './progress.ts';
import { styled, takesColour } from './style.ts';
import type { TableOptions } from './table.ts';
import type { ItemView, OutputOptions } from './view.ts';
import { widthOf, wrap, wrapBeside } from './wrap.ts';
import { offer, write } from './write.ts';

export type Printer = ReturnType<typeof createPrinter>;

/**
 * Returns the functions that print the output of a command. If the program that reads standard output has closed it,
 * `secret` rejects, and the other functions print nothing.
 *
 * @param filtered the titles of the columns that show what a list is filtered by
 */
export function createPrinter(
  cli: Pick<Cli, 'streams' | 'signal'>,
  options: OutputOptions,
  filtered: readonly string[] = [],
) {
  const { stdout, stderr } = cli.streams;
  const print = async (text: string): Promise<void> => void (await offer(stdout, text));
  const json = (value: unknown) => `${printableJson(value, 2)}\n`;
  const table: TableOptions = {
    width: widthOf(stdout),
    inColour: takesColour(stdout),
    wide: options.wide,
    chosen: options.columns,
    filtered,
  };
  const note = async (text: string): Promise<void> => {
    const wrapped = wrap(printable(text), widthOf(stderr));
    // The command does not fail if standard error is closed.
    if (!options.quiet) await write(stderr, `${wrapped}\n`).catch(() => undefined);
  };

  return {
    /** Prints a message for people, on standard error. */
    note,

    /** Prints the result: the bare value, or with `--json` its document. */
    value: (bare: string, document: object) => print(options.json ? json(document) : `${bare}\n`),

    /** Prints like `value`, but also rejects if standard output is closed. For values that are shown only once. */
    secret: (bare: string, document: object) => write(stdout, options.json ? json(document) : `${bare}\n`),

    /** Prints a document with `--json`, and nothing otherwise. */
    async document(document: object): Promise<void> {
      if (options.json) await print(json(document));
    },

    async item<T>(item: T, view: ItemView<T>): Promise<void> {
      if (options.json) return print(json(view.document(item)));
      const fields = formatFields([...view.columns, ...(view.details ?? [])], item, table);
      await print(fields + (view.below ? `\n${view.below(item, table)}` : ''));
    },

    /**
     * Prints each page before it reads the next, so that memory holds one page. Stops once standard output is closed.
     *
     * @param unmatched the note if filters leave out all items. Default: that the user can leave out filters
     */
    async list<T>(
      pages: Iterable<readonly T[]> | AsyncIterable<readonly T[]>,
      view: View<T>,
      unmatched?: string,
    ): Promise<void> {
      const format = listFormat(options, view, { ...table, unmatched });
      for await (const page of pages) {
        if (cli.signal.aborted) throw new Interrupted();
        if (!(await offer(stdout, format.page(page)))) return;
      }
      await print(format.end?.() ?? '');
      for (const remark of format.remarks?.() ?? []) await note(remark);
    },

    /** Shows a text while `work` runs. Use it for work that may take over a second. */
    progress: <T>(text: string, work: (say: SayProgress, above: PrintAbove) => Promise<T>) =>
      withProgress(cli, options, text, work),
  };
}

/** Formats one item, one line per field. At a terminal long values are wrapped. */
function formatFields<T>(columns: readonly Column<T>[], item: T, { width, inColour }: TableOptions) {
  const titleWidth = Math.max(...columns.map(({ title }) => title.length)) + GAP;
  const lines = columns.map(({ title, value, style }) => {
    const wrapped = wrapBeside(titleWidth, printable(value(item)), width);
    const shade = style?.(item);
    const label = title.padEnd(titleWidth);
    return inColour ? styled(label, 'dim') + (shade ? styled(wrapped, shade) : wrapped) : label + wrapped;
  });
  return `${lines.join('\n')}\n`;
}
