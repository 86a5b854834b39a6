import { wrapAnsi } from 'fast-wrap-ansi';

/** A stream that may be a terminal, with its width in cells. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The width of a terminal; undefined for other streams, whose lines are not wrapped. */
export function widthOf({ isTTY, columns }: Screen): number | undefined {
  return isTTY ? columns : undefined;
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
