import type { Scope } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';
import type { TokenState, UsageRefusal } from '@gatehouse/domain/tokens';
import { type Html, html } from '../html.ts';
import { type StateKind, state } from './state.ts';

/** States of tokens, in colours and words. */
export const STATES: Readonly<Record<TokenState, readonly [kind: StateKind, word: string]>> = {
  active: ['good', 'Active'],
  being_replaced: ['warning', 'Being replaced'],
  key_retired: ['bad', 'Signing key retired'],
  revoked: ['neutral', 'Revoked'],
  expired: ['neutral', 'Expired'],
  user_disabled: ['bad', 'Owner disabled'],
  account_suspended: ['bad', 'Account suspended'],
};

/** Why a request with a token was refused, as the end of a sentence. */
export const REFUSAL_WORDS: Readonly<Record<UsageRefusal, string>> = {
  key_retired: 'its signing key was retired',
  revoked: 'it was revoked',
  expired: 'it had expired',
  user_disabled: 'its owner was disabled',
  account_suspended: 'the account was suspended',
  insufficient_scope: 'it lacks the scope',
  not_allowed: 'its owner may not do that',
};

export function stateOfToken(of: TokenState): Html {
  return state(...STATES[of]);
}

/** The scopes of a token. An unknown scope belongs to an extension that was removed. */
export function scopeList({ scopeWords }: Catalog, scopes: readonly Scope[]): Html {
  return html`${scopes.map((scope, index) => html`${index > 0 && ' '}${scope === '*' ? 'All scopes' : html`<code>${scope}</code>`}${scopeWords(scope) ? null : ' (allows nothing)'}`)}`;
}
