import { attributes, type Html, html, type Shown, unchanged } from '../html.ts';

/** The colour of a state's label. The word on the label says the same, so the page can be read without colours. */
export type StateKind = 'good' | 'warning' | 'bad' | 'neutral';

export function state(kind: StateKind, word: Html | string): Html {
  return html`<span class="state state-${kind}">${word}</span>`;
}

/**
 * Renders a name that a user chose. `bdi` keeps right-to-left letters in the name from changing the order of the words
 * around the name.
 */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Renders an email address. In a narrow column, the line breaks before the `@` and not within a word. */
export function email(text: string): Html {
  const at = text.lastIndexOf('@');
  return html`${text.slice(0, at)}<wbr>${text.slice(at)}`;
}

/** Renders a text of several lines. Other invisible characters in it are replaced, as everywhere. */
export function lines(text: string): Html {
  return html`<span class="lines">${text.split(/\r?\n/).map((line, index) => [index > 0 && unchanged('\n'), line])}</span>`;
}

/** Joins items to a list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly Shown[]): Html {
  const last = items.length - 1;
  return html`${items.map((item, index) => html`${index === 0 ? null : index === last ? ' and ' : ', '}${item}`)}`;
}

const grouped = new Intl.NumberFormat('en');

/** Writes a count, such as `12`. If the counting stopped at a limit because there are `more`, writes `1,000+`. */
export function countInWords({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${grouped.format(count)}${more ? '+' : ''}`;
}

const ICONS = {
  alert: html`<path d="M8 1.8 15 14H1Z"/><path d="M8 6.3v3.4M8 11.8v.2"/>`,
  back: html`<path d="M10 3 5 8l5 5"/>`,
  check: html`<circle cx="8" cy="8" r="6.5"/><path d="m5.2 8.2 2 2 3.6-4.2"/>`,
} as const;

/** An icon. The text beside the icon has the same meaning, so screen readers skip the icon. */
export function icon(name: keyof typeof ICONS): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${ICONS[name]}</svg>`;
}

/** `primary` is the main action of a page, `danger` an action that cannot be undone, and `plain` every other action. */
type ButtonKind = 'primary' | 'danger' | 'plain';

/** A button that sends the form that contains it. */
export function button(label: string, kind: ButtonKind = 'plain'): Html {
  return html`<button type="submit" class="button button-${kind}">${label}</button>`;
}

/** A link to another page that looks like a button. */
export function buttonLink(href: string, label: Html | string, kind: ButtonKind = 'plain'): Html {
  return html`<a class="button button-${kind}"${attributes({ href })}>${label}</a>`;
}
