import type { Column, Style } from '@gatehouse/extension-kit/cli';
import { cellsOf, fitColumns, GAP, type Layout, nameOf } from './layout.ts';
import { printable } from './printable.ts';
import { styled } from './style.ts';
import { wrap } from './wrap.ts';

export interface TableOptions {
  /** The width of the terminal, in cells. Without it all columns are shown in full, in lines of any length. */
  readonly width?: number | undefined;
  readonly inColour?: boolean;
  /** Shows all columns in full. */
  readonly wide?: boolean | undefined;
  /** Shows only these columns, by name, in this order. */
  readonly chosen?: readonly string[] | undefined;
  /** The titles of columns that the list is filtered by. They are always shown, after the first column. */
  readonly filtered?: readonly string[] | undefined;
  /** The note instead of an empty list with filters. */
  readonly unmatched?: string | undefined;
}

/** Created when the first cell is cut, because creating an `Intl.Segmenter` takes as long as loading a command. */
let graphemes: Intl.Segmenter | undefined;

const INDENT = 2;

/**
 * Creates a table with aligned columns and one line per row, whose rows are formatted in parts. At a terminal, the
 * table has only the columns that fit.
 */
export function createTable<Row>(columns: readonly Column<Row>[], options: TableOptions = {}) {
  const { width = Number.POSITIVE_INFINITY, inColour = false, wide, chosen } = options;
  const fitted = width !== Number.POSITIVE_INFINITY && !wide && chosen === undefined;
  const isFiltered = ({ title }: Column<Row>) => options.filtered?.includes(title) ?? false;
  const named = (name: string) => columns.filter((column) => nameOf(column) === name);
  const ordered = fitted ? filteredFirst() : (chosen?.flatMap(named) ?? columns);
  const cellOf = (column: Column<Row>, row: Row) =>
    printable((!wide && width !== Number.POSITIVE_INFINITY && column.brief?.(row)) || column.value(row));
  let layout: Layout<Row> | undefined;
  const changed = new Set<Column<Row>>();

  return {
    /** Formats the next rows. The first call determines the columns and their widths. */
    rows(rows: readonly Row[]): string {
      const cells = rows.map((row) => ordered.map((column) => cellOf(column, row)));
      if (layout) {
        noteChanges(layout, cells);
        return rows.map(lineOf).join('');
      }
      const kept = new Set(fitted ? ordered.filter(isFiltered) : ordered);
      layout = fitColumns(ordered, cells, { width: fitted ? width : Number.POSITIVE_INFINITY, kept });
      return [titles(layout), ...rows.map(lineOf)].join('');
    },

    /** Returns notes for after the last row: what the table leaves out, and how to see it. */
    remarks(): readonly string[] {
      if (!layout) return [];
      const constant = [...layout.constant]
        .filter(([column, value]) => !changed.has(column) && value !== '-')
        .map(([{ title }, value]) => `${title} ${value}`);
      const omitted = [...layout.omitted, ...changed];
      const titles = omitted.map(({ title }) => title).join(', ');
      const example = [...ordered.slice(0, 2), ...omitted.slice(0, 1)].map(nameOf).join(',');
      return [
        constant.length > 0 && `In all rows: ${constant.join(', ')}.`,
        omitted.length > 0 &&
          `Not shown: ${titles}. See all columns with --wide, or some with --columns ${example}.`,
      ].filter((remark) => remark !== false);
    },
  };

  /** Moves the columns that the list is filtered by to the second place. */
  function filteredFirst(): readonly Column<Row>[] {
    const [first, others] = [columns.slice(0, 1), columns.slice(1)];
    return [...first, ...others.filter(isFiltered), ...others.filter((column) => !isFiltered(column))];
  }

  function noteChanges({ constant }: Layout<Row>, rows: readonly (readonly string[])[]): void {
    for (const [column, value] of constant) {
      if (rows.some((cells) => cells[ordered.indexOf(column)] !== value)) changed.add(column);
    }
  }

  function titles({ columns, folded }: Layout<Row>): string {
    return line(
      columns.map(({ column: { title }, width }) => ({ text: title, width, style: 'dim' })),
      folded.map(({ title }) => title),
      'dim',
    );
  }

  function lineOf(row: Row): string {
    const { columns = [], folded = [] } = layout ?? {};
    return line(
      columns.map(({ column, width }, index) => {
        const text = cellOf(column, row);
        const mayBeCut = fitted && (column.flexible || index === 0);
        return { text: mayBeCut ? cut(text, width) : text, width, style: column.style?.(row) };
      }),
      folded.map((column) => cellOf(column, row)),
    );
  }

  function line(cells: readonly Cell[], folded: readonly string[], foldedStyle?: Style): string {
    const last = cells.length - 1;
    const first = cells.map(({ text, width, style }, index) => {
      const padding = index === last ? '' : ' '.repeat(Math.max(0, width - cellsOf(text)) + GAP);
      return paint(text, style) + padding;
    });
    const text = first.join('').trimEnd();
    if (folded.length === 0) return `${text}\n`;
    const second = wrap(`${' '.repeat(INDENT)}${folded.join(' '.repeat(GAP))}`, width);
    return `${text}\n${paint(second, foldedStyle)}\n`;
  }

  function paint(text: string, style: Style | undefined): string {
    return inColour && style !== undefined ? styled(text, style) : text;
  }
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly style: Style | undefined;
}

function cut(text: string, width: number): string {
  if (text.length <= width && ASCII.test(text)) return text;
  if (cellsOf(text) <= width) return text;
  let shown = '';
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(text)) {
    if (cellsOf(shown + segment) >= width) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** Text in which each character is one cell wide. */
const ASCII = /^[ -~]*$/;
