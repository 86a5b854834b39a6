import { copied } from '../elements/copied.ts';
import { mailto } from '../elements/mailto.ts';
import { warning } from '../elements/notice.ts';
import { section } from '../elements/part.ts';
import { attributes, type Html, html } from '../html.ts';

interface MadeLink {
  /** The origin of the site, such as `https://gatehouse.example`. */
  readonly origin: string;
  /** The path of the page that takes the code. */
  readonly path: string;
  readonly code: string;
  readonly email: string;
  /** The subject and the first lines of the message. */
  readonly subject: string;
  readonly message: string;
  /** How long the link works, such as `7 days`. */
  readonly works: string;
}

/** Shows a new link, which no other page ever shows, and the address of the person to whom it is handed over. */
export function madeLink({ origin, path, code, email, subject, message, works }: MadeLink): Html {
  const link = `${origin}${path}#${code}`;
  return html`${warning(html`<p><strong>Copy the link now.</strong> You will not be able to see it again, because Gatehouse does not store it. Send it only to ${email}. Anyone who has the link can use it.</p>`)}
${section('Link', copied('link', html`<code class="secret" id="link">${link}</code>`, 'Copy link'))}
<p class="hint">The link works once, for ${works}. If it cannot be opened, ${email} opens ${origin}${path} and pastes it there.</p>
<p><a${attributes({ href: mailto(email, { subject, body: `${message}\n\n${link}\n\nThe link works once, for ${works}.` }) })}>Write an email to ${email}</a></p>`;
}
