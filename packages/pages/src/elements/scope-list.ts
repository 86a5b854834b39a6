import type { Scope } from '@gatehouse/domain/access';
import type { ScopeChoices } from '@gatehouse/domain/services';
import { attributes, type Html, html } from '../html.ts';
import { name } from './inline.ts';

/** How many scopes of a token a row of a list shows. */
const MAX_IN_ROW = 6;

/**
 * Lists the scopes of a token with their labels. A scope without words allows nothing: its extension, its service or the
 * scope itself was removed, or its service is not open to the account.
 */
export function scopeList({ words }: ScopeChoices, scopes: readonly Scope[]): Html {
  const items = scopes.map((scope) => {
    const label = scope === '*' ? ALL : words(scope)?.label;
    return html`<li><code>${scope}</code> ${label === undefined ? NOTHING : name(label)}</li>`;
  });
  return html`<ul class="plain">${items}</ul>`;
}

/**
 * Lists the first scopes of a token for a row of a list. The column is narrow, so the label of a service's scope is its
 * title: browsers show it on hover, and screen readers read it.
 */
export function scopesInRow({ own, words }: ScopeChoices, scopes: readonly Scope[]): Html {
  const items = scopes.slice(0, MAX_IN_ROW).map((scope, index) => {
    const label = words(scope)?.label;
    const about = label !== undefined && !own.includes(scope);
    const shown = about ? html`<span${attributes({ title: label })}>${scope}</span>` : scope;
    return html`${index > 0 && ' '}${scope === '*' ? ALL : html`<code>${shown}</code>`}${label === undefined && ` ${NOTHING}`}`;
  });
  const more = scopes.length - MAX_IN_ROW;
  return html`${items}${more > 0 && html` <small>and ${more} more</small>`}`;
}

/** The words for the scope `*`, which includes no scope of a service. */
export const ALL = 'All scopes of the API';

const NOTHING = '(allows nothing)';
