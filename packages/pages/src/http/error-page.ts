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
  'The server could not read this request',
  'Your browser sent data that no page of Gatehouse sends. Go back, reload the page and send the form again.',
];

const WORDS: Readonly<Partial<Record<ProblemName, Words>>> = {
  malformed_request: MALFORMED,
  malformed_body: MALFORMED,
  unsupported_media_type: MALFORMED,
  cross_site_request: [
    'This form came from another site',
    'Nothing was changed. If you sent the form from a page of this server, there are two possible causes. Your browser may hide from which site a form comes: change that setting of the browser. Or a proxy in front of the server may hide the address that you opened: ask the operators of the server to set PUBLIC_URL to that address.',
  ],
  body_too_large: [
    'This form is too large',
    'Your browser sent more data than any form of this server can have. Nothing was changed.',
  ],
  not_allowed: [
    'You do not have permission to do this',
    'Nothing was changed. Ask an admin of your account to do this for you.',
  ],
  not_found: [
    'Page not found',
    'The address is wrong, or the page belongs to another account. It may have been deleted.',
  ],
  method_not_allowed: [
    'This page does not accept this request',
    'Open the page from a link, or type its address.',
  ],
  too_many_attempts: ['Too many attempts to sign in', 'Wait a few minutes and try again.'],
  overloaded: ['This server is busy', 'Nothing was changed. Try again in a moment.'],
  unavailable: [
    'Gatehouse cannot reach its database',
    'The database is usually back soon. Reload the page in a moment, and check whether your last change was saved.',
  ],
};

const FAILED: Words = [
  'The server could not complete your request',
  'The error was logged. If it happens again, report the ID below to the operators of this server.',
];

/**
 * The header fields of the API's answer that an error page has as well. All other fields are for clients of the API
 * only.
 */
const KEPT = new Set(['allow', 'retry-after']);

/** The view of a problem. It has the same status as the answer of the API. */
export function errorView(request: HttpRequest, name: ProblemName, plain = PROBLEM_ANSWERS[name]): View {
  const { status, headers } = plain;
  const [title, text] = WORDS[name] ?? FAILED;
  return view({
    status,
    title,
    content: html`<p class="lead">${text}</p><p>${buttonLink(API_TOKENS, 'To the API tokens')}</p>${requestLine(request)}`,
    headers: headers.filter(([name]) => KEPT.has(name)),
  });
}

/**
 * Shows a problem as a page. Only the page of an unknown address says who is signed in. Any other request was refused
 * before the server had read the session of the request.
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

/** Answers with the error page of a problem. The header of the page does not say who is signed in. */
export function errorAnswer(visit: Visit, name: ProblemName): Answer {
  const shown = errorView(visit.request, name);
  return pageAnswer(visit.site, shown.status ?? 500, page(shown), shown.headers);
}

/** Answers a request for a page at an address without pages: says why, and which setting operators have to change. */
export function noSiteAnswer(reason: NoSite, request: HttpRequest): Answer {
  const words =
    reason === 'not_local'
      ? html`<p>Without HTTPS, this server shows its pages only to a browser on the same machine, at
<code>http://localhost:${request.node.socket.localPort ?? ''}</code>, and not through a proxy.</p>
<p>To open the pages from another machine, the operators of this server have to serve it over HTTPS and set
<code>PUBLIC_URL</code> to its address, such as <code>PUBLIC_URL=https://gatehouse.example</code>.</p>`
      : html`<p>This server does not show its pages at <code>${request.headers.host ?? ''}</code>, but at the address in its
setting <code>PUBLIC_URL</code>. If you opened that address, the proxy in front of the server has to pass on the <code>Host</code>
field that browsers send.</p>`;
  const content = html`${words}${requestLine(request)}`;
  const shown = view({ title: 'No pages at this address', content });
  return pageAnswer(undefined, reason === 'not_local' ? 403 : 421, page(shown));
}

const requestLine = (request: HttpRequest): Html =>
  html`<p class="request-id">Request <code>${request.id}</code></p>`;
