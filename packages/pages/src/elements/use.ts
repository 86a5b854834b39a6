import type { Instant } from '@gatehouse/domain/time';
import type { AddressOfUse, TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { type Html, html } from '../html.ts';
import { time, timeInWords } from './time.ts';
import { listed } from './words.ts';

/** When and from where a token was used: `3 minutes ago from 10.0.0.5 and 10.0.0.9`; null if it never was. */
export function useInWords({ lastUsedAt, usedFrom }: TokenUsageWithAddresses, now: Instant): Html | null {
  if (lastUsedAt === null) return null;
  // The address of the last use is not stored if addresses are switched off.
  const isKnown = usedFrom.some(({ lastAt }) => lastAt >= lastUsedAt);
  return seenInWords([...(isKnown ? [] : [{ lastAt: lastUsedAt }]), ...usedFrom], now);
}

/** When and from which addresses requests came, newest first. */
export function seenInWords(
  seen: readonly (Pick<AddressOfUse, 'lastAt'> & { readonly address?: string })[],
  now: Instant,
): Html {
  const byTime = Map.groupBy(seen, ({ lastAt }) => timeInWords(lastAt, now));
  const parts = [...byTime.values()].map((group, index) => {
    const addresses = group.flatMap(({ address }) => address ?? []).map((text) => html`<code>${text}</code>`);
    const [newest] = group;
    return html`${index > 0 && ', '}${newest && time(newest.lastAt, now)}${addresses.length > 0 && html` from ${listed(addresses)}`}`;
  });
  return html`${parts}`;
}
