import type { ScopeChoices } from '@gatehouse/domain/services';
import { type MintedToken, networkTexts } from '@gatehouse/domain/tokens';
import { copied } from '../../elements/copied.ts';
import { buttonLink, name } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { facts, section } from '../../elements/part.ts';
import { scopeList } from '../../elements/scope-list.ts';
import { lastDay } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import { API_TOKENS, firstUsePath, tokenPath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { type View, view } from '../../view.ts';
import { tryCommand } from './try-command.ts';

/**
 * Shows a new token, which no other page ever shows, and a command that tries the token. The page also reports the
 * first use of the token.
 *
 * @param lead a text above the warning
 */
export function createdView(
  { site }: PageRequest,
  choices: ScopeChoices,
  { record, secret }: MintedToken,
  title = 'Token created',
  lead: Html | null = null,
): View {
  return view({
    title,
    scripts: ['copy.js', 'first-use.js'],
    content: html`${lead}${warning(html`<p><strong>Copy the token now.</strong> You will not be able to see it again, because Gatehouse does not store it. Treat it like a password.</p>`)}
${section('Your new token', copied('token', html`<code class="secret" id="token" data-token>${secret}</code>`, 'Copy token'))}
${section(
  'Try it',
  html`<p>Send the token with each request, as this command does:</p>
${copied('curl', html`<pre><code id="curl">${tryCommand(choices, site.origin, secret, record.scopes)}</code></pre>`, 'Copy command')}
<p class="live" role="status" aria-live="polite" data-first-use="${firstUsePath(record.id)}" data-state="waiting">Waiting for the first use of the token …</p>
<p class="hint" data-look-again>To see whether the token was used, <a href="${tokenPath(record.id)}" target="_blank" rel="noopener">open the token’s page<span class="visually-hidden"> (opens in a new tab)</span></a>.</p>`,
)}
${section(
  'Details',
  facts([
    ['Name', name(record.name)],
    ['Scopes', scopeList(choices, record.scopes)],
    ['Networks', record.networks && networkTexts(record.networks).join(', ')],
    ['Expires', record.expiresAt === null ? 'Never' : lastDay(record.expiresAt)],
  ]),
)}
<p class="actions">${buttonLink(tokenPath(record.id), 'View token')}${buttonLink(API_TOKENS, 'All API tokens')}</p>`,
  });
}
