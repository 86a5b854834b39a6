import type { Instant } from '@gatehouse/domain/time';
import type { AddressOfRefusal, AddressOfUse, TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { section } from '../elements/facts.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { REFUSAL_WORDS } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';

/** The last five addresses that a token was used from, and refused from. */
export function addressesPart(
  { lastUsedAt, lastRefusal, usedFrom, refusedFrom }: TokenUsageWithAddresses,
  now: Instant,
): Html {
  const used =
    usedFrom.length > 0
      ? table({ caption: 'Addresses of use', columns: columns<AddressOfUse>(now), rows: usedFrom })
      : html`<p>${lastUsedAt === null ? 'It has never been used.' : html`It was used ${time(lastUsedAt, now)}. From where is not recorded.`}</p>`;
  const refused =
    refusedFrom.length > 0
      ? table({
          caption: 'Addresses of refusals',
          columns: [
            ...columns<AddressOfRefusal>(now),
            { label: 'Last reason', cell: ({ reason }: AddressOfRefusal) => REFUSAL_WORDS[reason] },
          ],
          rows: refusedFrom,
        })
      : lastRefusal &&
        html`<p>It was refused ${time(lastRefusal.at, now)}: ${REFUSAL_WORDS[lastRefusal.reason]}.</p>`;
  const note = html`<p class="hint">The last five addresses, as this server sees them: of clients behind a proxy that it was not told to trust (<code>TRUST_PROXY</code>), the proxy’s. IPv6 by network. Counts are approximate.</p>`;
  return html`${section('Used from', html`${used}${(usedFrom.length > 0 || refusedFrom.length > 0) && note}`)}
${refused && section('Refused from', refused)}`;
}

function columns<Row extends AddressOfUse>(now: Instant) {
  return [
    {
      label: 'Address',
      isHeader: true,
      cell: ({ address }: Row) => html`<span class="mono">${address}</span>`,
    },
    { label: 'Last', cell: ({ lastAt }: Row) => time(lastAt, now) },
    { label: 'First', cell: ({ firstAt }: Row) => time(firstAt, now) },
    { label: 'About how often', cell: ({ times }: Row) => times.toLocaleString('en') },
  ];
}
