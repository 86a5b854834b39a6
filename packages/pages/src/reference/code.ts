import { type Html, html } from '../html.ts';

const NEWLINE = html`
`;

/** Renders a block of code. With `tabindex`, users can scroll the block with the keyboard. */
export function codeBlock(code: string, language?: string): Html {
  const lines = code.split('\n').map((line, index) => [index > 0 && NEWLINE, line]);
  return html`<pre tabindex="0"${language !== undefined && html` data-language="${language}"`}><code>${lines}</code></pre>`;
}

/** Renders a block of code with a button that copies it. The button is hidden in browsers without scripts. */
export function copiedCode(code: string, language: string): Html {
  return html`${codeBlock(code, language)}<button type="button" class="button" data-copy hidden>Copy</button>`;
}

/** Renders a text of the OpenAPI document, in which backquotes mark code. */
export function marked(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
