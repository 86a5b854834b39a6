import { type Html, html } from '../html.ts';
import { warning } from './notice.ts';
import { listed } from './words.ts';

/** Lists the parameters that a page does not know, such as `state=lost`; null if there are none. */
export function leftOutNote(leftOut: readonly string[]): Html | null {
  if (leftOut.length === 0) return null;
  const parts = listed(leftOut.map((part) => html`<code>${part}</code>`));
  return warning(html`<p>Parts of this page’s address were ignored: ${parts}.</p>`);
}
