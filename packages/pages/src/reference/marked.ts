import { type Html, html } from '../html.ts';

/** A text of the document, in which backquotes mark code. */
export function marked(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
