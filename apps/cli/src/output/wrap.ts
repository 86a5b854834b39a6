import { wrapAnsi } from 'fast-wrap-ansi';
import type { Streams } from '../streams.ts';

/** The width of a terminal; undefined for other streams, whose lines are not wrapped. */
export function widthOf({ isTTY, columns }: Streams['stdout']): number | undefined {
  return isTTY ? columns : undefined;
}

/** Wraps text that follows a label. All lines after the first are indented by the width of the label. */
export function wrapBeside(labelWidth: number, text: string, width: number | undefined): string {
  const wrapped = wrap(text, width === undefined ? undefined : width - labelWidth);
  return wrapped.replaceAll('\n', `\n${' '.repeat(labelWidth)}`);
}

/**
 * Wraps each line between words to fit the width, and keeps its indentation. A word that is wider than a line is not
 * broken.
 */
export function wrap(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const wrapped = wrapAnsi(line.trimStart(), Math.max(width - indent.length, 1));
      return wrapped.replace(/^/gm, indent);
    })
    .join('\n');
}
