import { type Html, html } from '../html.ts';
import { warning } from './notice.ts';
import { listed } from './words.ts';

/** Names what an address asks for and its page does not know, such as `state=lost`; null if there is nothing. */
export function leftOutNote(leftOut: readonly string[]): Html | null {
  if (leftOut.length === 0) return null;
  const parts = listed(leftOut.map((part) => html`<code>${part}</code>`));
  return warning(
    html`<p>The address of this page has something that it does not know, which was left out: ${parts}.</p>`,
  );
}
