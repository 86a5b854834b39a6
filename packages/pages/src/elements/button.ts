import { attributes, type Html, html } from '../html.ts';

/** `primary`: the main action of a page. `danger`: ends something permanently. `plain`: all other actions. */
export type ButtonKind = 'primary' | 'danger' | 'plain' | 'quiet';

/** Sends the form that contains it. */
export function button(label: string, kind: ButtonKind = 'plain'): Html {
  return html`<button type="submit" class="button button-${kind}">${label}</button>`;
}

/** A link to another page that looks like a button. */
export function buttonLink(href: string, label: Html | string, kind: ButtonKind = 'plain'): Html {
  return html`<a class="button button-${kind}"${attributes({ href })}>${label}</a>`;
}
