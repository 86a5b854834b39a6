import type { Instant } from '@gatehouse/domain/time';
import type { TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';

/** Lists the services at which a token was used, the last use first; null if it was used at no service. */
export function servicesPart({ usedAt }: TokenUsageWithAddresses, now: Instant): Html | null {
  if (usedAt.length === 0) return null;
  const rows = table({
    caption: 'Services at which the token was used',
    columns: {
      Service: ({ service }) => service,
      'Last use': ({ service, lastAt, isReported }) =>
        html`${time(lastAt, now)}${isReported && ` (reported by ${service})`}`,
      From: ({ from }) => (from === null ? 'Not recorded' : html`<span class="mono">${from}</span>`),
    },
    rows: usedAt,
  });
  return section(
    'Used at services',
    html`${rows}<p class="hint">Each service reports the addresses of its own clients.</p>`,
  );
}
