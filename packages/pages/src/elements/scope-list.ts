import type { Scope } from '@gatehouse/domain/access';
import type { ScopeChoices } from '@gatehouse/domain/services';
import { type Html, html } from '../html.ts';
import { name } from './inline.ts';

/** How many scopes of a token a row of a list shows. */
const MAX_IN_ROW = 6;

/**
 * Lists the scopes of a token with their labels. A scope without words allows nothing: its extension, its service or the
 * scope itself was removed, or its service is not open to the account.
 */
export function scopeList({ words }: ScopeChoices, scopes: readonly Scope[]): Html {
  const items = scopes.map((scope) => {
    const label = words(scope)?.label;
    return html`<li><code>${scope}</code> ${label === undefined ? NOTHING : name(label)}</li>`;
  });
  return html`<ul class="plain">${items}</ul>`;
}

/** Lists the first scopes of a token for a row of a list. Only scopes of services have labels there. */
export function scopesInRow(choices: ScopeChoices, scopes: readonly Scope[]): Html {
  const own = new Set<Scope>(choices.own);
  const items = scopes.slice(0, MAX_IN_ROW).map((scope, index) => {
    const label = choices.words(scope)?.label;
    const shown = scope === '*' ? ALL : html`<code>${scope}</code>`;
    const about = label === undefined ? html` ${NOTHING}` : !own.has(scope) && html` ${name(label)}`;
    return html`${index > 0 && ' '}${shown}${about}`;
  });
  const more = scopes.length - MAX_IN_ROW;
  return html`${items}${more > 0 && html` <small>and ${more} more</small>`}`;
}

/** The words for the scope `*`, which includes no scope of a service. */
export const ALL = 'All scopes of the API';

const NOTHING = '(allows nothing)';
