import stringWidth from 'fast-string-truncated-width';

/** The name for `--columns`, such as `last-used`. */
export function nameOf({ title }: { readonly title: string }): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Counts the terminal cells of a text. */
export function cellsOf(text: string): number {
  return stringWidth(text).width;
}

/** Cells between two columns. */
export const GAP = 2;
