const grouped = new Intl.NumberFormat('en');

/** A count up to a limit: `12`, or `1,000+` if there are more. */
export function countInWords({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${grouped.format(count)}${more ? '+' : ''}`;
}
