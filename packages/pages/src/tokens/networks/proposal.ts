import type { Instant } from '@gatehouse/domain/time';
import type { ShownTokenNetworks } from '@gatehouse/domain/tokens';
import { listed } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { seenInWords } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';

/** Says from which networks the token was used, and from where requests would be refused. */
export function proposalPart(
  { token, proposed, usedFrom, reported }: ShownTokenNetworks,
  now: Instant,
  isProxyTrusted: boolean,
): Html {
  const { networks, mayLackAddresses } = proposed;
  const count = networks.length === 1 ? 'one network' : `${networks.length} networks`;
  const names = networks.map(({ network }) => html`<code>${network.cidr}</code>`);
  const use =
    networks.length === 0
      ? html`<p>No address of use is stored, so no networks can be proposed.</p>`
      : html`<p>Used from ${count} in 90 days: ${listed(names)}.${mayLackAddresses && ' Only the last five addresses are stored, so there may be more.'}</p>`;
  // Behind a proxy that is not named, all requests have the address of the proxy, and the list would let everyone pass.
  const isMaybeProxy = !isProxyTrusted && usedFrom.length === 1;
  return html`${use}${isMaybeProxy && warning(html`<p><strong>All uses share one address.</strong> It may be the address of a proxy, and then the list would not limit anyone. The operators of this server name proxies in the setting <code>TRUST_PROXY</code>, which is not set.</p>`)}${
    token.networks?.mode === 'report-only' && reportedPart(reported, now)
  }`;
}

function reportedPart(reported: ShownTokenNetworks['reported'], now: Instant): Html {
  return reported.length === 0
    ? html`<p>Since these networks were set, no request came from elsewhere.</p>`
    : warning(
        html`<p><strong>Requests from elsewhere would be refused:</strong> ${seenInWords(reported, now)}.</p>`,
      );
}
