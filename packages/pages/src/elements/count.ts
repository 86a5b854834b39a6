const grouped = new Intl.NumberFormat('en');

/** A count that ends at a limit: `12`, or `1,000+` where there are more. */
export function countInWords({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${grouped.format(count)}${more ? '+' : ''}`;
}
