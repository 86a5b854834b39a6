import { attributes, type Html, html } from '../html.ts';
import { hiddenFields } from './form.ts';

interface SearchFormParts {
  /** The path of the page with the list. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The fields that are always shown, and the button. */
  readonly main: Html;
  /** The fields that are folded. They are unfolded if one of them is used. */
  readonly filters?: Html;
  /** The number of folded fields in use. */
  readonly count?: number;
  /** The address of the list without search and filters, if the list has any. */
  readonly clear?: string;
}

/** A form that filters a list. Browsers send it by GET, so the address of a filtered list can be kept and shared. */
export function searchForm({ action, hidden = {}, main, filters, count = 0, clear }: SearchFormParts): Html {
  const folded =
    filters &&
    html`<details${attributes({ open: count > 0 })}><summary>Filters${
      count > 0 && html` <span class="count">${count}<span class="visually-hidden"> in use</span></span>`
    }</summary><div class="search-fields">${filters}</div></details>`;
  return html`<form method="get" role="search" class="search sheet"${attributes({ action })}>
<div class="search-main">${hiddenFields(hidden)}${main}</div>
${folded}${clear === undefined ? null : html`<p><a${attributes({ href: clear })}>Clear search and filters</a></p>`}</form>`;
}
