import { type Html, html, type Shown } from '../html.ts';

/** Joins several items in words: `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly Shown[]): Html {
  const last = items.length - 1;
  return html`${items.map((item, index) => html`${index === 0 ? null : index === last ? ' and ' : ', '}${item}`)}`;
}

const grouped = new Intl.NumberFormat('en');

/** A count up to a limit: `12`, or `1,000+` if there are more. */
export function countInWords({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${grouped.format(count)}${more ? '+' : ''}`;
}
