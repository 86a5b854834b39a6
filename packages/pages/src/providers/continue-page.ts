import type { Answer, Header } from '@gatehouse/http';
import { buttonLink } from '../elements/inline.ts';
import { page } from '../elements/layout.ts';
import { html } from '../html.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { view } from '../view.ts';
import type { Visit } from '../visit.ts';

/**
 * Leads the browser to another address by a page. A redirect would not do in two cases. After a form was sent, browsers
 * follow no redirect to another origin, because pages allow forms to their own origin only. After a visit to another
 * origin, they count a redirect as that origin's request, so that the next page would ignore the notice and the draft.
 */
export function continuePage(
  visit: Visit,
  address: string,
  to: string,
  headers: readonly Header[] = [],
): Answer {
  const content = html`<p class="lead">Your browser goes on by itself.</p>
<p>${buttonLink(address, `Continue to ${to}`, 'primary')}</p>`;
  const shown = page(view({ title: `Continue to ${to}`, content }));
  return pageAnswer(visit.site, 200, shown, [['refresh', `0; url=${address}`], ...headers]);
}
