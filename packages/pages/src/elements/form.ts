import { TARGET_FIELD, TOKEN_FIELD } from '../forms/form-body.ts';
import { attributes, type Html, html, unchanged } from '../html.ts';
import { type View, view } from '../view.ts';
import {
  errorSummary,
  type FieldErrors,
  type Fields,
  type ShowField,
  type SomeValues,
  showFields,
} from './field.ts';

/** Makes the form tokens of a page. */
interface FormTokens {
  formToken(path: string, target?: string): string;
}

interface FormParts {
  /** The path on this server to which the form is sent. */
  readonly action: string;
  /** Tells apart the forms that are sent to the same path. The form token is valid for this target only. */
  readonly target?: string | undefined;
  /** The values of hidden fields by their names. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly content: Html;
  /** Default: `fields`, a column of fields. */
  readonly layout?: 'fields' | 'inline';
}

/** A form that changes something, with its form token. */
export function form(
  { formToken }: FormTokens,
  { action, target, hidden = {}, content, layout = 'fields' }: FormParts,
): Html {
  const all = {
    [TOKEN_FIELD]: formToken(action, target),
    ...(target !== undefined && { [TARGET_FIELD]: target }),
    ...hidden,
  };
  return html`<form method="post" class="form-${layout}"${attributes({ action })}>${hiddenFields(all)}${content}</form>`;
}

type FormViewParts<F extends Fields> = Omit<FormParts, 'content'> &
  Pick<View, 'title' | 'above' | 'scripts'> & {
    readonly fields: F;
    readonly values?: SomeValues<F>;
    readonly errors: FieldErrors;
    /** Shown between the list of errors and the form. */
    readonly lead?: Html;
    /** The content of the form. @param field renders a field by its name */
    readonly content: (field: ShowField<keyof F & string>) => Html;
  };

/** A page with one form. A form with errors lists them above, and the page has the status 422. */
export function formView<F extends Fields>(
  tokens: FormTokens,
  { fields, values = {}, errors, lead, content, title, above, scripts, ...parts }: FormViewParts<F>,
): View {
  return view({
    title,
    ...(above && { above }),
    ...(scripts && { scripts }),
    content: html`${errorSummary(errors, fields)}${lead}
${form(tokens, { ...parts, content: content(showFields(fields, values, errors)) })}`,
    ...(errors.length > 0 && { status: 422 }),
  });
}

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

const hiddenFields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(
    ([name, value]) => html`<input${attributes({ type: 'hidden', name, value: unchanged(value) })}>`,
  );
