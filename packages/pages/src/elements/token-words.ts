import type { Instant } from '@gatehouse/domain/time';
import type { TokenState, TokenUsage, TokenUsageWithAddresses, UsageRefusal } from '@gatehouse/domain/tokens';
import { type Html, html } from '../html.ts';
import { listed, type StateKind, state } from './inline.ts';
import { time, timeInWords } from './time.ts';

/** The colour and the word of each state of a token. */
export const STATES: Readonly<Record<TokenState, readonly [kind: StateKind, word: string]>> = {
  active: ['good', 'Active'],
  being_replaced: ['warning', 'Being replaced'],
  key_retired: ['bad', 'Signing key retired'],
  revoked: ['neutral', 'Revoked'],
  expired: ['neutral', 'Expired'],
  user_disabled: ['bad', 'Owner disabled'],
  not_confirmed: ['bad', 'Owner not confirmed'],
  account_suspended: ['bad', 'Account suspended'],
};

/** Why a request with a token was refused, as the end of a sentence that begins with `because`. */
export const REFUSAL_WORDS: Readonly<Record<UsageRefusal, string>> = {
  key_retired: 'the signing key was retired',
  revoked: 'the token was revoked',
  expired: 'the token had expired',
  user_disabled: 'the owner was disabled',
  not_confirmed: 'no identity provider had confirmed the owner in time',
  account_suspended: 'the account was suspended',
  network_not_allowed: 'the client was outside of the networks of the token',
  insufficient_scope: 'the token lacks the required scope',
  not_allowed: 'the owner lacks the required permission',
};

/** Why the last request with a token was refused, after `Failing:`. */
export const FAILING_WORDS: Readonly<Record<UsageRefusal, string>> = {
  key_retired: 'signing key retired',
  revoked: 'revoked',
  expired: 'expired',
  user_disabled: 'owner disabled',
  not_confirmed: 'owner not confirmed',
  account_suspended: 'account suspended',
  network_not_allowed: 'network not allowed',
  insufficient_scope: 'missing scope',
  not_allowed: 'missing permission',
};

/** Names the service that reported a refusal, for the end of a sentence; an empty text if no service did. */
export const reportedBy = ({ reportedBy: service }: NonNullable<TokenUsage['lastRefusal']>) =>
  service === undefined ? '' : ` (reported by ${service})`;

export function stateOfToken(of: TokenState): Html {
  return state(...STATES[of]);
}

/**
 * Says when and from where a token was used, such as `3 minutes ago from 10.0.0.5 and 10.0.0.9`; null if the token was
 * never used.
 */
export function useInWords({ lastUsedAt, usedFrom }: TokenUsageWithAddresses, now: Instant): Html | null {
  if (lastUsedAt === null) return null;
  // A server that does not record addresses stores only the time of the last use.
  const isKnown = usedFrom.some(({ lastAt }) => lastAt >= lastUsedAt);
  return seenInWords([...(isKnown ? [] : [{ lastAt: lastUsedAt }]), ...usedFrom], now);
}

/** When the last request came from an address. `address` is undefined if the server did not record the address. */
interface Seen {
  readonly lastAt: Instant;
  readonly address?: string;
}

/**
 * Says when and from which addresses requests came, newest first. Addresses with the same relative time, such as `3
 * minutes ago`, are listed together.
 */
export function seenInWords(seen: readonly Seen[], now: Instant): Html {
  const byTime = Map.groupBy(seen, ({ lastAt }) => timeInWords(lastAt, now));
  const parts = [...byTime.values()].map((group, index) => {
    const addresses = group.flatMap(({ address }) => address ?? []).map((text) => html`<code>${text}</code>`);
    const [newest] = group;
    return html`${index > 0 && ', '}${newest && time(newest.lastAt, now)}${addresses.length > 0 && html` from ${listed(addresses)}`}`;
  });
  return html`${parts}`;
}
