import { isLive, networkTexts, type TokenPage } from '@gatehouse/domain/tokens';
import { buttonLink, listed } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { seenInWords } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';
import { networksPath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';

/** Says from which networks a live API token may be used, and what would be refused; null for any other token. */
export function networksPart(token: TokenPage, { now }: PageRequest): Html | null {
  if (!isLive(token, now) || token.kind !== 'api') return null;
  return section(
    'Networks',
    html`${limits(token)}${reported(token, now)}<p class="actions">${buttonLink(networksPath(token.id), token.networks ? 'Change networks' : 'Limit to networks')}</p>`,
  );
}

function limits({ networks }: TokenPage): Html {
  if (networks === null) return html`<p>The token may be used from everywhere.</p>`;
  const names = listed(networkTexts(networks).map((text) => html`<code>${text}</code>`));
  return networks.mode === 'enforced'
    ? html`<p>The token may be used only from ${names}.</p>`
    : html`<p>Report-only: requests from outside of ${names} are accepted and reported here.</p>`;
}

function reported({ networks, usage: { reportedFrom } }: TokenPage, now: PageRequest['now']): Html | null {
  if (networks?.mode !== 'report-only') return null;
  return reportedFrom.length === 0
    ? html`<p>No request came from elsewhere since then.</p>`
    : html`<p>These requests would be refused: ${seenInWords(reportedFrom, now)}.</p>`;
}
