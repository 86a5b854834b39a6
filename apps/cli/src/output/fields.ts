import { type Column, GAP } from './column.ts';
import { printable } from './printable.ts';
import { styled } from './style.ts';
import type { TableOptions } from './table.ts';
import { wrapBeside } from './wrap.ts';

/** Formats one item, one line per field. At a terminal long values are wrapped. */
export function formatFields<T>(
  columns: readonly Column<T>[],
  item: T,
  { width, inColour = false }: TableOptions,
): string {
  const titleWidth = Math.max(...columns.map(({ title }) => title.length)) + GAP;
  const lines = columns.map(({ title, value, style }) => {
    const wrapped = wrapBeside(titleWidth, printable(value(item)), width);
    const shade = style?.(item);
    const label = title.padEnd(titleWidth);
    return inColour ? styled(label, 'dim') + (shade ? styled(wrapped, shade) : wrapped) : label + wrapped;
  });
  return `${lines.join('\n')}\n`;
}
