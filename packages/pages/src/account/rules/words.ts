import type { TokenHolder, TokenLimits, TokenRules } from '@gatehouse/domain/token-policy';
import { listed } from '../../elements/inline.ts';
import { type Html, html } from '../../html.ts';
import { durationInWords } from '../../tokens/rules-in-words.ts';

/** The names of each kind of holder: in a path, in a sentence, and as a title. */
export const HOLDERS: Readonly<
  Record<TokenHolder, { readonly path: string; readonly name: string; readonly title: string }>
> = {
  person: { path: 'people', name: 'people', title: 'Tokens of people' },
  service: { path: 'service-accounts', name: 'service accounts', title: 'Tokens of service accounts' },
};

export const lifetimeInWords = (lifetimeMs: number | null): string =>
  lifetimeMs === null ? 'Never expires' : durationInWords(lifetimeMs);

export function longestInWords({ mustExpire, maxLifetimeMs }: TokenLimits): string {
  if (maxLifetimeMs !== null) return durationInWords(maxLifetimeMs);
  return mustExpire ? 'Any, but tokens must expire' : 'Any, and tokens may never expire';
}

export const networksInWords = ({ mustHaveNetworks }: TokenLimits): string =>
  mustHaveNetworks ? 'Required, and enforced' : 'Optional';

export const confirmationInWords = ({ confirmWithinMs }: Pick<TokenRules, 'confirmWithinMs'>): string =>
  confirmWithinMs === null
    ? 'Not required'
    : `Within ${durationInWords(confirmWithinMs)} of the last sign-in`;

export function scopesInWords(scopes: TokenLimits['scopes']): Html | string {
  if (scopes === null) return 'All';
  return scopes.length === 0 ? 'None' : listed(scopes.map((scope) => html`<code>${scope}</code>`));
}
