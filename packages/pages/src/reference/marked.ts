import { type Html, html } from '../html.ts';

/** Renders a text of the document; backquotes mark code in it. */
export function marked(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
