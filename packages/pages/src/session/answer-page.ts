import type { Answer, Header } from '@gatehouse/http';
import { page } from '../elements/layout.ts';
import { noticeOf } from '../elements/notice.ts';
import { type Draft, sealDraft } from '../forms/draft.ts';
import type { Html } from '../html.ts';
import { setCookie } from '../http/cookies.ts';
import { errorView } from '../http/error-page.ts';
import { pageAnswer, redirectAnswer } from '../http/page-answer.ts';
import { signInPath } from '../paths.ts';
import { continuePage } from '../providers/continue-page.ts';
import type { Outcome } from '../view.ts';
import { forget, type Visit } from '../visit.ts';
import { type Opening, type PageRequest, requestIn } from './page-request.ts';
import { type SignInPagePorts, signInPage, visitSecret } from './sign-in-page.ts';

const ENDED = 'Your session has ended. Sign in again to continue.';

/**
 * Answers a form that was sent without a valid session. If there is no session, shows the sign-in page. Otherwise the
 * session has a new secret: redirects to the sign-in page, which waits until the browser has this secret. Keeps the
 * typed values in a draft.
 */
export function answerNotSignedIn(
  ports: SignInPagePorts,
  visit: Visit,
  opened: Opening,
  draft: Draft | undefined,
): Answer {
  if (opened.state === 'none') {
    const secret = visitSecret(visit);
    const sealed = draft && sealDraft(draft, secret);
    return signInPage(
      ports,
      visit,
      { status: 401, next: visit.target, draft: sealed, problem: ENDED },
      secret,
    );
  }
  const formKey = requestIn(opened)?.formKey ?? ('formKey' in opened ? opened.formKey : undefined);
  const sealed = draft && formKey && sealDraft(draft, formKey);
  const kept = sealed ? [setCookie(visit.site, 'draft', sealed)] : [];
  return redirectAnswer(visit.site, signInPath(visit.target), kept);
}

/**
 * Answers with a page, and shows above it the message that the previous page left in a cookie. Clears this cookie and
 * the cookie of the draft.
 *
 * @param instead a message to show instead of the one in the cookie
 */
export function answerWithNotice(request: PageRequest, outcome: Outcome, instead?: Html): Answer {
  const isView = outcome.kind === 'view';
  const said = isView ? (instead ?? noticeOf(request.cookie('notice'))) : null;
  const used = [...(isView ? forget(request, 'notice') : []), ...forget(request, 'draft')];
  return answerPage(request, outcome, said, used);
}

/**
 * Answers a signed-in user.
 *
 * @param said a message above the page
 * @param more header fields besides those of the page
 */
export function answerPage(
  request: PageRequest,
  outcome: Outcome,
  said: Html | null = null,
  more: readonly Header[] = [],
): Answer {
  const { site } = request;
  if (outcome.kind === 'session_ended') return redirectAnswer(site, signInPath(request.target), more);
  if (outcome.kind === 'leave')
    return continuePage(request, outcome.address, outcome.to, [...outcome.headers, ...more]);
  if (outcome.kind === 'redirect') {
    const { notice } = outcome;
    const kept = notice === undefined ? [] : [setCookie(site, 'notice', notice)];
    return redirectAnswer(site, outcome.path, [...kept, ...more]);
  }
  const shown = outcome.kind === 'view' ? outcome : errorView(request.request, outcome.name);
  const { status = 200, headers = [] } = shown;
  const wide = page({ ...shown, width: 'wide' }, said, request);
  return pageAnswer(site, status, wide, [...headers, ...more]);
}
