import { replaceInvisible } from '@gatehouse/domain';
import { html as escaping, isSafeHtml, type SafeHtml } from '@remix-run/html-template';

export type Html = SafeHtml;

/** A value in a template. Null, undefined and false show nothing. */
export type Shown = Html | string | number | false | null | undefined | readonly Shown[];

/**
 * Makes HTML from a template, and escapes the texts in it. Invisible characters, and characters that change the
 * direction of text, become U+FFFD, so that a name cannot look like another name.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return escaping(strings, ...values.map(visible));
}

type Escaped = Html | string | number | null | undefined | Escaped[];

function visible(value: Shown): Escaped {
  if (value === false) return null;
  if (typeof value === 'string') return replaceInvisible(value);
  return Array.isArray(value) ? value.map(visible) : (value as Exclude<Shown, readonly Shown[] | false>);
}

/**
 * Escapes a text, and keeps invisible characters. Used for the values of fields, because browsers send these values
 * back.
 */
export function unchanged(text: string): Html {
  return escaping`${text}`;
}

/** Writes attributes. `true` writes the name alone; an attribute that is false, null or undefined is left out. */
export function attributes(
  values: Readonly<Record<string, Html | string | number | boolean | null | undefined>>,
) {
  return Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === null || value === false) return null;
    if (value === true) return escaping` ${name}`;
    return escaping` ${name}="${isSafeHtml(value) || typeof value === 'number' ? value : replaceInvisible(value)}"`;
  });
}
