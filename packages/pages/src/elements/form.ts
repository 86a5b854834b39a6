import { TARGET_FIELD, TOKEN_FIELD } from '../forms/form-body.ts';
import { attributes, type Html, html, unchanged } from '../html.ts';

interface FormParts {
  /** The path on this server to which it is sent. */
  readonly action: string;
  /** The target of the form token, which tells apart forms with the same path. */
  readonly target?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly content: Html;
  /** Default: `fields`, a column of fields. */
  readonly layout?: 'fields' | 'inline';
}

/** A form that changes something, with its token. The context is the request of a page. */
export function form(
  { formToken }: { formToken(path: string, target?: string): string },
  { action, target, hidden = {}, content, layout = 'fields' }: FormParts,
): Html {
  const all = {
    [TOKEN_FIELD]: formToken(action, target),
    ...(target !== undefined && { [TARGET_FIELD]: target }),
    ...hidden,
  };
  return html`<form method="post" class="form-${layout}"${attributes({ action })}>${hiddenFields(all)}${content}</form>`;
}

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
  const folded =
    filters &&
    html`<details${attributes({ open: count > 0 })}><summary>Filters${
      count > 0 && html` <span class="count">${count}<span class="visually-hidden"> in use</span></span>`
    }</summary><div class="search-fields">${filters}</div></details>`;
  return html`<form method="get" role="search" class="search sheet"${attributes({ action })}>
<div class="search-main">${hiddenFields(hidden)}${main}</div>
${folded}${clear === undefined ? null : html`<p><a${attributes({ href: clear })}>Clear search and filters</a></p>`}</form>`;
}

const hiddenFields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(
    ([name, value]) => html`<input${attributes({ type: 'hidden', name, value: unchanged(value) })}>`,
  );
