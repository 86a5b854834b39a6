import type { WithSecret } from '@gatehouse/domain/webhooks';
import { copied } from '../elements/copied.ts';
import { buttonLink } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo, section } from '../elements/part.ts';
import { html } from '../html.ts';
import { WEBHOOKS, webhookPath } from '../paths.ts';
import { type View, view } from '../view.ts';

/** Shows the new secret of a webhook, which no other page ever shows. */
export function secretView(title: string, { webhook, secret }: WithSecret): View {
  return view({
    title,
    above: backTo(WEBHOOKS, 'Webhooks'),
    scripts: ['copy.js'],
    content: html`${warning(html`<p><strong>Copy the secret now.</strong> You will not be able to see it again. Anyone who has it can forge messages that your program accepts.</p>`)}
${section('Secret', copied('secret', html`<code class="secret" id="secret">${secret}</code>`, 'Copy secret'))}
<p>Your program needs the secret to verify the signature of each message, as <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a> describes.</p>
<p class="actions">${buttonLink(webhookPath(webhook.id), 'Go to the webhook', 'primary')}</p>`,
  });
}
