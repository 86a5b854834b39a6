import { type Html, html } from '../html.ts';

const NEWLINE = html`
`;

/** A block of code, which can be scrolled by the keyboard. In its lines invisible characters are shown, as in all texts. */
export function codeBlock(code: string, language?: string): Html {
  const lines = code.split('\n').map((line, index) => [index > 0 && NEWLINE, line]);
  return html`<pre tabindex="0"${language !== undefined && html` data-language="${language}"`}><code>${lines}</code></pre>`;
}
