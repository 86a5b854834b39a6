import type { Instant } from '@gatehouse/domain/time';
import type { AddressOfUse, TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { section } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { REFUSAL_WORDS } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';

/** Lists the last five addresses from which a token was used, and the last five from which it was refused. */
export function addressesPart(
  { lastUsedAt, lastRefusal, usedFrom, refusedFrom }: TokenUsageWithAddresses,
  now: Instant,
): Html {
  const used =
    usedFrom.length > 0
      ? table({ caption: 'Addresses of use', columns: columns(now), rows: usedFrom })
      : html`<p>${lastUsedAt === null ? 'It has never been used.' : html`It was used ${time(lastUsedAt, now)}. The address was not recorded.`}</p>`;
  const refused =
    refusedFrom.length > 0
      ? table({
          caption: 'Addresses of refusals',
          columns: { ...columns(now), 'Last reason': ({ reason }) => REFUSAL_WORDS[reason] },
          rows: refusedFrom,
        })
      : lastRefusal &&
        html`<p>It was refused ${time(lastRefusal.at, now)}: ${REFUSAL_WORDS[lastRefusal.reason]}.</p>`;
  const note = html`<p class="hint">The last five addresses. Clients behind a proxy have the address of the proxy, unless the server trusts the proxy (<code>TRUST_PROXY</code>). IPv6 addresses are grouped by network. Counts are approximate.</p>`;
  return html`${section('Used from', html`${used}${(usedFrom.length > 0 || refusedFrom.length > 0) && note}`)}
${refused && section('Refused from', refused)}`;
}

const columns = (now: Instant) => ({
  Address: ({ address }: AddressOfUse) => html`<span class="mono">${address}</span>`,
  Last: ({ lastAt }: AddressOfUse) => time(lastAt, now),
  First: ({ firstAt }: AddressOfUse) => time(firstAt, now),
  'About how often': ({ times }: AddressOfUse) => times.toLocaleString('en'),
});
