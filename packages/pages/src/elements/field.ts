import { attributes, type Html, html, unchanged } from '../html.ts';

/** Why a field was refused, in words for its user. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface FieldParts {
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string;
  readonly errors?: readonly FieldError[];
}

interface InputParts extends FieldParts {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'number';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  /** Takes the focus when the page opens, unless another field has an error. */
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
}

/** A text field. The first field with an error has the focus when the page opens. */
export function input(parts: InputParts): Html {
  const {
    name,
    type = 'text',
    value,
    autocomplete = 'off',
    isRequired,
    hasFocus,
    maxLength,
    errors = [],
  } = parts;
  const control = html`<input${attributes({
    id: name,
    name,
    type,
    value: value === undefined || type === 'password' ? undefined : unchanged(value),
    autocomplete,
    required: isRequired ?? false,
    maxlength: maxLength,
    spellcheck: type === 'search' || type === 'text' ? undefined : 'false',
    autofocus: isFirst(errors, name) || (hasFocus === true && errors.length === 0),
    ...describing(parts),
  })}>`;
  return fieldWith(parts, control);
}

interface ChoiceParts extends FieldParts {
  readonly type: 'checkbox' | 'radio';
  readonly choices: readonly {
    readonly value: string;
    readonly label: Html | string;
    readonly hint?: Html | string;
  }[];
  readonly chosen: readonly string[];
}

/** Check boxes, or radio buttons. */
export function choices(parts: ChoiceParts): Html {
  const { name, type, label, chosen, errors = [] } = parts;
  const boxes = parts.choices.map(({ value, label: text, hint }, index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    const state = attributes({
      id,
      type,
      name,
      value: unchanged(value),
      checked: chosen.includes(value),
      autofocus: index === 0 && isFirst(errors, name),
      'aria-describedby': hint === undefined ? undefined : `${id}-about`,
    });
    return html`<div class="choice"><input${state}><label for="${id}">${text}</label>${
      hint === undefined ? null : html`<p class="hint" id="${id}-about">${hint}</p>`
    }</div>`;
  });
  const { 'aria-describedby': described } = describing(parts);
  return html`<fieldset class="field"${attributes({ 'aria-describedby': described })}><legend>${label}</legend>${hintOf(parts)}${errorOf(parts)}${boxes}</fieldset>`;
}

export type Options = readonly { readonly value: string; readonly label: string }[];

interface SelectParts extends FieldParts {
  readonly options: Options;
  readonly chosen: string;
}

/** A drop-down list. */
export function select(parts: SelectParts): Html {
  const { name, options, chosen, errors = [] } = parts;
  const items = options.map(
    ({ value, label }) =>
      html`<option${attributes({ value: unchanged(value), selected: value === chosen })}>${label}</option>`,
  );
  const state = attributes({ id: name, name, autofocus: isFirst(errors, name), ...describing(parts) });
  return fieldWith(parts, html`<select${state}>${items}</select>`);
}

/** Lists the errors above a form, with links to the fields; null if there are none. */
export function errorSummary(
  errors: readonly FieldError[],
  labels: Readonly<Record<string, string>>,
): Html | null {
  if (errors.length === 0) return null;
  const items = errors.map(
    ({ field, message }) => html`<li><a href="#${field}">${labels[field] ?? field}: ${message}</a></li>`,
  );
  const count = errors.length === 1 ? 'One field needs' : `${errors.length} fields need`;
  return html`<div class="notice notice-bad" role="alert"><div><p><strong>${count} another look.</strong></p><ul>${items}</ul></div></div>`;
}

function fieldWith(parts: FieldParts, control: Html): Html {
  return html`<div class="field"><label for="${parts.name}">${parts.label}</label>${hintOf(parts)}${errorOf(parts)}${control}</div>`;
}

function messageOf({ name, errors = [] }: FieldParts): string | undefined {
  return errors.find(({ field }) => field === name)?.message;
}

function isFirst(errors: readonly FieldError[], name: string): boolean {
  return errors[0]?.field === name;
}

function describing(parts: FieldParts) {
  const hasError = messageOf(parts) !== undefined;
  const ids = [parts.hint !== undefined && `${parts.name}-hint`, hasError && `${parts.name}-error`].filter(
    Boolean,
  );
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': hasError ? 'true' : undefined,
  };
}

function hintOf({ name, hint }: FieldParts): Html | null {
  return hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`;
}

function errorOf(parts: FieldParts): Html | null {
  const message = messageOf(parts);
  return message === undefined ? null : html`<p class="error" id="${parts.name}-error">${message}</p>`;
}
