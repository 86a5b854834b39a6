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
  const { name, type = 'text', value, errors = [] } = parts;
  const about = aboutField(parts);
  const control = html`<input${attributes({
    id: name,
    name,
    type,
    value: value === undefined || type === 'password' ? undefined : unchanged(value),
    autocomplete: parts.autocomplete ?? 'off',
    required: parts.isRequired,
    maxlength: parts.maxLength,
    spellcheck: type === 'search' || type === 'text' ? undefined : 'false',
    autofocus: about.isFirst || (parts.hasFocus && errors.length === 0),
    ...about.attributes,
  })}>`;
  return fieldWith(parts, about, control);
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
  const { name, type, label, chosen } = parts;
  const about = aboutField(parts);
  const boxes = parts.choices.map(({ value, label: text, hint }, index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    const state = attributes({
      id,
      type,
      name,
      value: unchanged(value),
      checked: chosen.includes(value),
      autofocus: index === 0 && about.isFirst,
      'aria-describedby': hint === undefined ? undefined : `${id}-about`,
    });
    return html`<div class="choice"><input${state}><label for="${id}">${text}</label>${
      hint === undefined ? null : html`<p class="hint" id="${id}-about">${hint}</p>`
    }</div>`;
  });
  const { 'aria-describedby': described } = about.attributes;
  return html`<fieldset class="field"${attributes({ 'aria-describedby': described })}><legend>${label}</legend>${about.shown}${boxes}</fieldset>`;
}

export type Options = readonly { readonly value: string; readonly label: string }[];

interface SelectParts extends FieldParts {
  readonly options: Options;
  readonly chosen: string;
}

/** A drop-down list. */
export function select(parts: SelectParts): Html {
  const { name, options, chosen } = parts;
  const about = aboutField(parts);
  const items = options.map(
    ({ value, label }) =>
      html`<option${attributes({ value: unchanged(value), selected: value === chosen })}>${label}</option>`,
  );
  const state = attributes({ id: name, name, autofocus: about.isFirst, ...about.attributes });
  return fieldWith(parts, about, html`<select${state}>${items}</select>`);
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

function fieldWith({ name, label }: FieldParts, { shown }: ReturnType<typeof aboutField>, control: Html) {
  return html`<div class="field"><label for="${name}">${label}</label>${shown}${control}</div>`;
}

/** The hint and the error of a field, and the attributes of its control that refer to them. */
function aboutField({ name, hint, errors = [] }: FieldParts) {
  const message = errors.find(({ field }) => field === name)?.message;
  const ids = { hint: `${name}-hint`, error: `${name}-error` };
  const described = [
    ...(hint === undefined ? [] : [ids.hint]),
    ...(message === undefined ? [] : [ids.error]),
  ];
  return {
    isFirst: errors[0]?.field === name,
    shown: html`${hint !== undefined && html`<p class="hint" id="${ids.hint}">${hint}</p>`}${
      message !== undefined && html`<p class="error" id="${ids.error}">${message}</p>`
    }`,
    attributes: {
      'aria-describedby': described.length > 0 && described.join(' '),
      'aria-invalid': message !== undefined && 'true',
    },
  };
}
