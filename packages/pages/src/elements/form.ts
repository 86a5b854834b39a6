import { attributes, type Html, html, unchanged } from '../html.ts';
import type { PageRequest } from '../session/page-request.ts';
import { type View, view } from '../view.ts';
import { type Choice, type ChoiceGroup, choicesOf } from './choices.ts';

/** The names of the hidden fields that `form` adds to a form: the form token and the target. */
export const TOKEN_FIELD = 'form_token';
export const TARGET_FIELD = 'form_target';

type FieldType =
  | 'text'
  | 'multiline'
  | 'email'
  | 'password'
  | 'code'
  | 'search'
  | 'date'
  | 'select'
  | 'checkbox'
  | 'radio';

/** A field of a form: how the page shows the field, and which values the field can have. */
export interface Field {
  readonly label: string;
  /** The subject of error messages about the field. Default: the label. */
  readonly subject?: string;
  readonly hint?: Html | string;
  /** Shown in an empty field, such as the facts for which a search looks. */
  readonly placeholder?: string;
  /**
   * Default: `text`. The value of a `password` or a `code` is never shown again. A `checkbox` is a group of boxes, and its value is
   * a list.
   */
  readonly type?: FieldType;
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  /**
   * Whether the field has the focus when the page opens. If fields have errors, the first of these has the focus
   * instead.
   */
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
  /** The labels of the options of a `select`, by their values. */
  readonly options?: Options;
  /** The boxes of a field of the type `checkbox`, or the buttons of a field of the type `radio`. */
  readonly choices?: readonly Choice[];
  /** More boxes or buttons of the same field, in groups below `choices`. */
  readonly groups?: readonly ChoiceGroup[];
}

export type Options = Readonly<Record<string, string>>;

/** The fields of a form by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** The values of a form by the names of its fields. A field that the browser did not send has an empty value. */
export type FieldValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly type: 'checkbox' } ? readonly string[] : string;
};

/** The values that a form shows when it is opened. */
export type SomeValues<F extends Fields> = { readonly [Name in keyof F]?: FieldValues<F>[Name] | undefined };

/** Why the value of a field was refused. */
export interface FieldError {
  readonly field: string;
  /**
   * Either a predicate in lower case without a full stop, as in errors of the domain, such as `is required`: the page
   * shows `Name is required.` Or a whole sentence, such as `Passwords do not match.`, which is shown as it is.
   */
  readonly message: string;
}

export type FieldErrors = readonly FieldError[];

/** Returns the message as a sentence. A message in lower case is a predicate, and the field is its subject. */
function sentence(message: string, { label, subject = label }: Pick<Field, 'label' | 'subject'>): string {
  return /^\p{Ll}/u.test(message) ? `${subject} ${message}${/[.?!]$/.test(message) ? '' : '.'}` : message;
}

/** Renders the field with this name. @param parts replace the same parts of the field's definition */
export type ShowField<Name> = (name: Name, parts?: Partial<Field>) => Html;

/**
 * Returns a function that renders a field with its value and its error. The first field with an error has the focus.
 */
export function showFields<F extends Fields>(
  fields: F,
  values: SomeValues<F>,
  errors: FieldErrors = [],
): ShowField<keyof F & string> {
  return (name, parts) => {
    const field: Field = { ...(fields[name] as Field), ...parts };
    const error = errors.find((each) => each.field === name);
    const message = error && sentence(error.message, field);
    const hasFocus = errors[0]?.field === name || (field.hasFocus === true && errors.length === 0);
    return show({ ...field, name, value: values[name], message, hasFocus });
  };
}

export interface ShownField extends Field {
  readonly name: string;
  readonly value: string | readonly string[] | undefined;
  readonly message: string | undefined;
}

function show(field: ShownField): Html {
  const { name, label, hint, message, type } = field;
  const notes = [
    ...(hint === undefined ? [] : [{ id: `${name}-hint`, kind: 'hint', text: hint }]),
    ...(message === undefined ? [] : [{ id: `${name}-error`, kind: 'error', text: message }]),
  ];
  const about = notes.map(({ id, kind, text }) => html`<p class="${kind}" id="${id}">${text}</p>`);
  const described = { 'aria-describedby': notes.length > 0 && notes.map(({ id }) => id).join(' ') };
  if (type === 'checkbox' || type === 'radio')
    return html`<fieldset class="field"${attributes(described)}><legend>${label}</legend>${about}${choicesOf(field)}</fieldset>`;
  const state = { ...described, 'aria-invalid': message !== undefined && 'true' };
  const control =
    type === 'select'
      ? select(field, state)
      : type === 'multiline'
        ? textArea(field, state)
        : input(field, state);
  return html`<div class="field"><label for="${name}">${label}</label>${about}${control}</div>`;
}

/** Whether the value of the field is never shown again, and kept in no draft. */
export const isSecret = ({ type }: Pick<Field, 'type'>): boolean => type === 'password' || type === 'code';

type State = Parameters<typeof attributes>[0];

function input(field: ShownField, state: State): Html {
  const { name, type = 'text', value } = field;
  return html`<input${attributes({
    id: name,
    name,
    type: type === 'code' ? 'text' : type,
    value: typeof value !== 'string' || isSecret(field) ? undefined : unchanged(value),
    placeholder: field.placeholder,
    autocomplete: field.autocomplete ?? 'off',
    required: field.isRequired,
    maxlength: field.maxLength,
    autocapitalize: type === 'code' ? 'none' : undefined,
    spellcheck: type === 'search' || type === 'text' ? undefined : 'false',
    autofocus: field.hasFocus,
    ...state,
  })}>`;
}

/**
 * Browsers leave out the first line break after the tag (HTML Standard), so one is written that is not of the value.
 */
function textArea({ name, isRequired, maxLength, hasFocus, value }: ShownField, state: State): Html {
  const text = typeof value === 'string' ? value : '';
  return html`<textarea${attributes({ id: name, name, rows: 4, required: isRequired, maxlength: maxLength, autofocus: hasFocus, ...state })}>
${unchanged(text)}</textarea>`;
}

function select({ name, hasFocus, options = {}, value: chosen = '' }: ShownField, state: State): Html {
  const items = Object.entries(options).map(
    ([value, label]) =>
      html`<option${attributes({ value: unchanged(value), selected: value === chosen })}>${label}</option>`,
  );
  return html`<select${attributes({ id: name, name, autofocus: hasFocus, ...state })}>${items}</select>`;
}

/** Lists the errors of a form, each with a link to its field; null if there are no errors. */
export function errorSummary(errors: FieldErrors, fields: Fields): Html | null {
  if (errors.length === 0) return null;
  const items = errors.map(
    ({ field, message }) =>
      html`<li><a href="#${field}">${sentence(message, fields[field] ?? { label: field })}</a></li>`,
  );
  const count = errors.length === 1 ? 'one field' : `${errors.length} fields`;
  return html`<div class="notice notice-bad" role="alert"><div><p><strong>Check ${count}.</strong></p><ul>${items}</ul></div></div>`;
}

/** The function that makes the form tokens of a page. */
export type FormTokens = Pick<PageRequest, 'formToken'>;

interface FormParts {
  /** The path on this server to which the form is sent. */
  readonly action: string;
  /** Distinguishes forms that are sent to the same path. The form token is valid for this target only. */
  readonly target?: string | undefined;
  /** The values of hidden fields by their names. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly content: Html;
  /** Default: `fields`, a column of fields. */
  readonly layout?: 'fields' | 'inline';
}

/** Renders a form that browsers send by POST, with a form token. */
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

type FormViewParts<F extends Fields> = Pick<FormParts, 'action' | 'target'> &
  Pick<View, 'title' | 'above' | 'scripts'> & {
    readonly fields: F;
    readonly values?: SomeValues<F>;
    readonly errors: FieldErrors;
    /** Shown between the list of errors and the form. */
    readonly lead?: Html;
    /** The content of the form. @param field renders a field by its name */
    readonly content: (field: ShowField<keyof F & string>) => Html;
  };

/** A page with one form. If the form has errors, the page lists them above the form and has the status 422. */
export function formView<F extends Fields>(tokens: FormTokens, parts: FormViewParts<F>): View {
  const { action, target, fields, values = {}, errors, lead, content, ...frame } = parts;
  return view({
    ...frame,
    content: html`${errorSummary(errors, fields)}${lead}
${form(tokens, { action, target, content: content(showFields(fields, values, errors)) })}`,
    ...(errors.length > 0 && { status: 422 }),
  });
}

/** Renders a hidden field for each of these values. The values are listed by the names of the fields. */
export const hiddenFields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(
    ([name, value]) => html`<input${attributes({ type: 'hidden', name, value: unchanged(value) })}>`,
  );
