import type { ProblemName } from '@gatehouse/extension-kit/http';
import { type Answer, type HttpRequest, PROBLEM_ANSWERS, type ProblemView } from '@gatehouse/http';
import { buttonLink } from '../elements/inline.ts';
import { page } from '../elements/layout.ts';
import { type Html, html } from '../html.ts';
import { API_TOKENS } from '../paths.ts';
import type { FindSignedIn } from '../session/open-page.ts';
import type { FindSite, NoSite } from '../site/site.ts';
import { type View, view } from '../view.ts';
import { createVisit, type Visit } from '../visit.ts';
import { pageAnswer } from './page-answer.ts';

type Words = readonly [title: string, content: string];

const MALFORMED: Words = [
  'This request cannot be read',
  'Your browser sent something that no page of Gatehouse made. Go back, load the page again, and send the form once more.',
];

const WORDS: Readonly<Partial<Record<ProblemName, Words>>> = {
  malformed_request: MALFORMED,
  malformed_body: MALFORMED,
  unsupported_media_type: MALFORMED,
  cross_site_request: [
    'This form came from another site',
    'Nothing was changed. If you sent it from here, your browser may hide where forms come from: change that setting. Or there is a proxy in front of this server: then those who run it have to set PUBLIC_URL to the address that you typed.',
  ],
  body_too_large: [
    'This is too much',
    'Your browser sent more than any form here may have. Nothing was changed.',
  ],
  not_allowed: ['You may not do this', 'Ask an admin of your account. Nothing was changed.'],
  not_found: ['There is nothing here', 'The address is wrong, or what was here belongs to another account.'],
  method_not_allowed: ['This page cannot do that', 'Open it by its address or by a link.'],
  too_many_attempts: ['Too many attempts', 'Wait a while, and try again.'],
  overloaded: ['Too much is going on', 'Nothing was changed. Try again in a moment.'],
  unavailable: [
    'Gatehouse cannot reach its database',
    'This is usually over soon. Load the page again in a moment, and check whether your last change was made.',
  ],
};

const FAILED: Words = [
  'Something went wrong on our side',
  'The error was logged. If it happens again, report the id below to those who run this server.',
];

/** The header fields that an error page takes from the answer of the API. The others are for clients of the API only. */
const KEPT = new Set(['allow', 'retry-after']);

/** The view of a problem, with the status that the API answers. */
export function errorView(
  request: HttpRequest,
  name: ProblemName,
  { status, headers }: Answer = PROBLEM_ANSWERS[name],
): View {
  const [title, text] = WORDS[name] ?? FAILED;
  return view({
    status,
    title,
    content: html`<p class="lead">${text}</p><p>${buttonLink(API_TOKENS, 'To the API tokens')}</p>${requestLine(request)}`,
    headers: headers.filter(([name]) => KEPT.has(name)),
  });
}

/**
 * Shows a problem as a page. Only the page of an unknown address says who is signed in. Any other request was refused before
 * anything was read about its sender.
 */
export function createErrorPages(findSite: FindSite, findSignedIn: FindSignedIn): ProblemView {
  return async (name, request, plain) => {
    const found = findSite(request.node);
    const site = typeof found === 'string' ? undefined : found;
    const isShown = name === 'not_found' && site !== undefined;
    const signedIn = isShown ? await findSignedIn(createVisit(request, site)) : undefined;
    const shown = errorView(request, name, plain);
    return pageAnswer(site, plain.status, page(shown, null, signedIn), shown.headers);
  };
}

/** Answers a problem by a page whose header does not say who is signed in. */
export function errorAnswer(visit: Visit, name: ProblemName): Answer {
  const shown = errorView(visit.request, name);
  return pageAnswer(visit.site, shown.status ?? 500, page(shown), shown.headers);
}

/** Answers a request for a page at an address without pages: says why, and which setting operators have to change. */
export function noSiteAnswer(reason: NoSite, request: HttpRequest): Answer {
  const words =
    reason === 'not_local'
      ? html`<p>Pages are served by plain HTTP, so only to a browser on the server’s own machine: at
<code>http://localhost:${request.node.socket.localPort ?? ''}</code>, without a proxy between them.</p>
<p>To use them from elsewhere, those who run this server put it behind HTTPS and set <code>PUBLIC_URL</code> to the
address at which browsers find it, such as <code>PUBLIC_URL=https://gatehouse.example</code>.</p>`
      : html`<p>The pages of this server have another address than <code>${request.headers.host ?? ''}</code>. Those who run
it find the right one in the setting <code>PUBLIC_URL</code>; a proxy before it has to pass on the <code>Host</code> that
browsers send.</p>`;
  const content = html`${words}${requestLine(request)}`;
  const shown = view({ title: 'No pages at this address', content });
  return pageAnswer(undefined, reason === 'not_local' ? 403 : 421, page(shown));
}

const requestLine = (request: HttpRequest): Html =>
  html`<p class="request-id">Request <code>${request.id}</code></p>`;
