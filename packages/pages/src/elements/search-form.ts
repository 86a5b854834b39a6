import { attributes, type Html, html } from '../html.ts';
import { hiddenFields } from './form.ts';

interface SearchFormParts {
  /** The path of the page with the list. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The fields that are always shown, and the button that sends the form. */
  readonly main: Html;
  /** The fields that are hidden until the user opens `Filters`. If one of these fields has a value, they are shown. */
  readonly filters?: Html;
  /** The number of filters that have a value. */
  readonly count?: number;
  /** The address of the list without search and filters; undefined if neither is in use. */
  readonly clear?: string;
}

/**
 * Renders a form that filters a list. Browsers send the form by GET, so users can bookmark and share a filtered list.
 */
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
