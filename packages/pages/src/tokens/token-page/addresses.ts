import type { Instant } from '@gatehouse/domain/time';
import type { AddressOfUse, TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { time } from '../../elements/time.ts';
import { REFUSAL_WORDS, reportedBy } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';

/**
 * Lists the last five addresses from which a token was used, and the last five addresses from which the token was
 * refused.
 */
export function addressesPart(
  { lastUsedAt, lastRefusal, usedFrom, refusedFrom }: TokenUsageWithAddresses,
  now: Instant,
): Html {
  const used =
    usedFrom.length > 0
      ? table({ caption: 'Addresses of use', columns: columns(now), rows: usedFrom })
      : html`<p>${lastUsedAt === null ? 'The token has never been used.' : html`The token was used ${time(lastUsedAt, now)}. The address was not recorded.`}</p>`;
  const refused =
    refusedFrom.length > 0
      ? table({
          caption: 'Addresses of refusals',
          columns: { ...columns(now), 'Last reason': ({ reason }) => REFUSAL_WORDS[reason] },
          rows: refusedFrom,
        })
      : lastRefusal &&
        html`<p>A request with the token was refused ${time(lastRefusal.at, now)}: ${REFUSAL_WORDS[lastRefusal.reason]}${reportedBy(lastRefusal)}.</p>`;
  const note = html`<p class="hint">Only the last five addresses are shown. For clients behind a proxy, the address of the proxy is shown, unless the setting <code>TRUST_PROXY</code> of the server names the proxy. IPv6 addresses are grouped by network. Counts are approximate.</p>`;
  return html`${section('Used from', html`${used}${(usedFrom.length > 0 || refusedFrom.length > 0) && note}`)}
${refused && section('Refused from', refused)}`;
}

const columns = (now: Instant) => ({
  Address: ({ address }: AddressOfUse) => html`<span class="mono">${address}</span>`,
  'Last seen': ({ lastAt }: AddressOfUse) => time(lastAt, now),
  'First seen': ({ firstAt }: AddressOfUse) => time(firstAt, now),
  'Requests (approx.)': ({ times }: AddressOfUse) => times.toLocaleString('en'),
});
