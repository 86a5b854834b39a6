import type { Scope } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';
import type { TokenState, UsageRefusal } from '@gatehouse/domain/tokens';
import { type Html, html } from '../html.ts';
import { type StateKind, state } from './state.ts';

/** States of tokens, in words. */
export const STATE_WORDS: Readonly<Record<TokenState, string>> = {
  active: 'Active',
  being_replaced: 'Being replaced',
  key_retired: 'Signing key retired',
  revoked: 'Revoked',
  expired: 'Expired',
  user_disabled: 'Owner disabled',
  account_suspended: 'Account suspended',
};

const STATE_KINDS: Readonly<Record<TokenState, StateKind>> = {
  active: 'good',
  being_replaced: 'warning',
  key_retired: 'bad',
  revoked: 'neutral',
  expired: 'neutral',
  user_disabled: 'bad',
  account_suspended: 'bad',
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
  return state(STATE_KINDS[of], STATE_WORDS[of]);
}

/** The scopes of a token. An unknown scope belongs to an extension that was removed. */
export function scopeList({ scopeWords }: Catalog, scopes: readonly Scope[]): Html {
  return html`${scopes.map((scope, index) => html`${index > 0 && ' '}${scope === '*' ? 'All scopes' : html`<code>${scope}</code>`}${scopeWords(scope) ? null : ' (allows nothing)'}`)}`;
}
