import type { Instant } from '@gatehouse/domain/time';
import type { TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { type Html, html } from '../html.ts';
import { time, timeInWords } from './time.ts';
import { listed } from './words.ts';

/** When and from where a token was used: `3 minutes ago from 10.0.0.5 and 10.0.0.9`; null if it never was. */
export function useInWords({ lastUsedAt, usedFrom }: TokenUsageWithAddresses, now: Instant): Html | null {
  if (lastUsedAt === null) return null;
  // The address of the last use is not kept where addresses are switched off.
  const isKnown = usedFrom.some(({ lastAt }) => lastAt >= lastUsedAt);
  const uses = [
    ...(isKnown ? [] : [{ at: lastUsedAt, address: undefined }]),
    ...usedFrom.map(({ lastAt, address }) => ({ at: lastAt, address })),
  ];
  const byTime = Map.groupBy(uses, ({ at }) => timeInWords(at, now));
  const parts = [...byTime.values()].map((group, index) => {
    const addresses = group.flatMap(({ address }) => address ?? []).map((text) => html`<code>${text}</code>`);
    const when = time(group[0]?.at ?? lastUsedAt, now);
    return html`${index > 0 && ', '}${when}${addresses.length > 0 && html` from ${listed(addresses)}`}`;
  });
  return html`${parts}`;
}
