import { attributes, type Html, html, unchanged } from '../html.ts';

interface SearchFormParts {
  /** The path of the page. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields that are always shown, and the button. */
  readonly main: Html;
  /** Filters, which are folded until one is used. */
  readonly filters?: Html;
  /** The number of hidden filters in use. */
  readonly count?: number;
  /** The address without search and filters. */
  readonly clear?: string;
}

/** A form that filters a list. It is sent by GET, so that the address can be kept and shared. */
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
