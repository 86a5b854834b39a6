import { attributes, type Html, html, unchanged } from '../html.ts';

interface SearchFormParts {
  /** The page itself. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What always stands there, its button among it. */
  readonly main: Html;
  /** What is folded away until it is used. */
  readonly filters?: Html;
  /** How many of the folded filters are used. */
  readonly count?: number;
  /** Where nothing is searched for. */
  readonly clear?: string;
}

/** A form that selects what a list shows. It is sent by GET: the address can be kept, and sent to others. */
export function searchForm({ action, hidden = {}, main, filters, count = 0, clear }: SearchFormParts): Html {
  const values = Object.entries(hidden).map(
    ([name, value]) => html`<input${attributes({ type: 'hidden', name, value: unchanged(value) })}>`,
  );
  const folded =
    filters &&
    html`<details${attributes({ open: count > 0 })}><summary>Filters${
      count > 0 && html` <span class="count">${count}<span class="visually-hidden"> in use</span></span>`
    }</summary><div class="search-fields">${filters}</div></details>`;
  return html`<form method="get" role="search" class="search sheet"${attributes({ action })}>
<div class="search-main">${values}${main}</div>
${folded}${clear === undefined ? null : html`<p><a${attributes({ href: clear })}>Clear search and filters</a></p>`}</form>`;
}
