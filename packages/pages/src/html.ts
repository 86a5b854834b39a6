import { replaceInvisible } from '@gatehouse/domain';
import { html as escaping, isSafeHtml, type SafeHtml } from '@remix-run/html-template';

export type Html = SafeHtml;

/** Values of a template: text, numbers, other templates, and lists of them. Null and false show nothing. */
export type Shown = Html | string | number | false | null | undefined | readonly Shown[];

/**
 * Makes HTML. Texts are escaped. Invisible characters, and characters that change the direction of text, are shown as
 * U+FFFD, so a name cannot imitate another one or hide a part of itself.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return escaping(strings, ...values.map(visible));
}

type Escaped = Html | string | number | null | undefined | Escaped[];

function visible(value: Shown): Escaped {
  if (value === false) return null;
  if (typeof value === 'string') return replaceInvisible(value);
  return isList(value) ? value.map(visible) : value;
}

function isList(value: Shown): value is readonly Shown[] {
  return Array.isArray(value);
}

/** Escapes a text and keeps every character, for values that a form sends back unchanged. */
export function unchanged(text: string): Html {
  return escaping`${text}`;
}

/** Writes attributes: true has no value, and false, null and undefined leave it out. Names come from our own code. */
export function attributes(
  values: Readonly<Record<string, Html | string | number | boolean | null | undefined>>,
) {
  return Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === null || value === false) return null;
    if (value === true) return escaping` ${name}`;
    return escaping` ${name}="${isSafeHtml(value) || typeof value === 'number' ? value : replaceInvisible(value)}"`;
  });
}
