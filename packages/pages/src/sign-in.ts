import type { SessionFormKey } from '@gatehouse/domain/sessions';
import type { Endpoint, Header } from '@gatehouse/http';
import { noticeOf } from './elements/notice.ts';
import { openDraft, sealDraft } from './forms/draft.ts';
import { readForm } from './forms/form-body.ts';
import { isFormToken } from './forms/form-token.ts';
import { errorAnswer } from './http/error-page.ts';
import { ownPath } from './http/own-path.ts';
import { redirectAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { firstPageFor, SIGN_IN, withQuery } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { type AnswerSignedInPorts, answerSignedIn } from './session/answer-signed-in.ts';
import { passwordLimit } from './session/given-password.ts';
import { openRequest, requestIn } from './session/page-request.ts';
import { SIGN_IN_FIELDS, type SignInPagePorts, signInPage, visitSecret } from './session/sign-in-page.ts';
import { askForCode } from './sign-in-code.ts';
import { forget, type Visit } from './visit.ts';

type Ports = AnswerSignedInPorts & SignInPagePorts & Pick<PagePorts, 'findSite' | 'openSession' | 'recorded'>;

const WRONG = {
  on: 'The email or the password is wrong.',
  'break-glass':
    'The email or the password is wrong, or your account does not use passwords. Sign in with your identity provider.',
} as const;

const OUTDATED =
  'This form was open for too long, or your browser blocks cookies. Allow cookies for this site and try again.';

/** Shown if the answer with the session's new secret did not reach the browser, for example after a double click. */
const LOST =
  'Your session was renewed, but this browser did not receive the new cookie. Sign in again to continue.';

/**
 * After how many seconds the browser loads the sign-in page again, to see whether it has received the session's new
 * secret.
 */
const RENEWAL_SECONDS = 2;

/** `/sign-in`: asks for email and password, then redirects to the page that the user wanted. */
export function signInEndpoint(ports: Ports): Endpoint {
  const { findSite, openSession, recorded } = ports;

  async function show(visit: Visit) {
    const next = ownPath(visit.query.get('next'));
    const opened = await openRequest(ports, visit);
    const signedIn = requestIn(opened);
    if (signedIn) return redirectAnswer(visit.site, next ?? firstPageFor(signedIn.user.role));
    if (opened.state === 'replaced')
      return visit.query.has('waited') ? lost(visit, opened.formKey, next) : wait(visit, next);
    const said = noticeOf(visit.cookie('notice'));
    const headers = forget(visit, 'notice');
    return signInPage(ports, visit, { status: 200, next, said, headers });
  }

  /**
   * Makes the browser load the page again, once. By then, the browser has the session's new secret, unless the answer
   * with the secret was lost.
   */
  function wait(visit: Visit, next: string | undefined) {
    const again = withQuery(SIGN_IN, { next, waited: '' });
    const headers: Header[] = [['refresh', `${RENEWAL_SECONDS}; url=${again}`]];
    return signInPage(ports, visit, { status: 200, next, said: noticeOf('session_renewing'), headers });
  }

  /**
   * Asks the user to sign in again, because the answer with the new secret was lost. The sign-in form keeps the values
   * that the user typed into another form.
   */
  function lost(visit: Visit, formKey: SessionFormKey | undefined, next?: string) {
    const secret = visitSecret(visit);
    const typed = formKey && openDraft(visit.cookie('draft'), formKey);
    const draft = typed && sealDraft(typed, secret);
    return signInPage(ports, visit, { status: 200, next, draft, problem: LOST }, secret);
  }

  async function submit(visit: Visit) {
    const { request } = visit;
    const sent = await readForm(request, SIGN_IN_FIELDS);
    if (!sent.ok) return errorAnswer(visit, sent.error);
    const { email, password } = sent.value.values;
    const next = ownPath(sent.value.values.next);
    const draft = sent.value.values.draft || undefined;
    const secret = visitSecret(visit);
    const again = (status: number, problem: string, headers: readonly Header[] = []) =>
      signInPage(ports, visit, { status, next, draft, email, problem, headers }, secret);
    const { token, target } = sent.value;
    if (!isFormToken(token, secret, { path: SIGN_IN, target })) return again(403, OUTDATED);

    const userAgent = request.headers['user-agent'] ?? null;
    const opened = await recorded(openSession)(request, { email, password, userAgent });
    if (opened.ok) return answerSignedIn(ports, visit, opened.value, { next, draft, secret });
    const { error } = opened;
    if (error.code === 'credentials_not_accepted') return again(401, WRONG[ports.passwordSignIn]);
    if (error.code === 'second_factor_required') return askForCode(visit, error.pending, next, draft);
    const { status, text, headers } = passwordLimit(error);
    return again(status, text, headers);
  }

  return createPageEndpoint(findSite, { GET: show, POST: submit });
}
