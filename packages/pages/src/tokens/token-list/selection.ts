import { button } from '../../elements/inline.ts';
import { attributes, type Html, html } from '../../html.ts';
import { REVOKE_TOKENS } from '../../paths.ts';
import type { ListAddress } from './address.ts';

/**
 * Puts the rows of a list into a form, with which users select several tokens to revoke. The form only opens the page
 * that asks. Ended tokens cannot be selected. `token-list.js` adds a box that selects all rows, and a menu to each
 * row.
 */
export function selectable({ section }: ListAddress, count: string, rows: Html): Html {
  if (section === 'ended') return html`<p>${count}</p>\n${rows}`;
  return html`<form class="rows"${attributes({ action: REVOKE_TOKENS })}><p class="actions"><span>${count}</span>${button('Revoke selected')}</p>
${rows}</form>`;
}
