import type { PendingSecret } from '@gatehouse/domain/second-factor';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { form, showFields } from './elements/form.ts';
import { button } from './elements/inline.ts';
import { page } from './elements/layout.ts';
import { alert } from './elements/notice.ts';
import { readForm } from './forms/form-body.ts';
import { formToken, isFormToken } from './forms/form-token.ts';
import { html } from './html.ts';
import { setCookie } from './http/cookies.ts';
import { errorAnswer } from './http/error-page.ts';
import { ownPath } from './http/own-path.ts';
import { pageAnswer, redirectAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { SIGN_IN, SIGN_IN_CODE, signInPath, withQuery } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { recoveryCodeNotice } from './profile/second-factor/recovery-code-notice.ts';
import { answerSignedIn } from './session/answer-signed-in.ts';
import { CODE_FIELD, codePause } from './session/given-code.ts';
import type { PageRequestPorts } from './session/page-request.ts';
import { CHALLENGE, visitSecret } from './session/sign-in-page.ts';
import { view } from './view.ts';
import { forget, type Visit } from './visit.ts';

type Ports = PageRequestPorts &
  Pick<PagePorts, 'completeSignIn' | 'endSession' | 'findPendingSignIn' | 'findSite' | 'recorded'>;

/** A hidden field, which has no label. */
const HIDDEN = { label: '' } as const;

const FIELDS = { code: CODE_FIELD, next: HIDDEN, draft: HIDDEN } as const;

const WRONG = 'The code is wrong or was used before. Wait for the next code of your app.';

const OUTDATED = 'This form was open for too long, or your browser blocks cookies. Enter the code again.';

interface CodePage {
  readonly status: number;
  readonly next?: string | undefined;
  readonly draft?: string | undefined;
  readonly problem?: string;
  readonly headers?: readonly Header[];
}

/** Leads the browser to the page of the code, after the right password. */
export function askForCode(visit: Visit, pending: PendingSecret, next?: string, draft?: string): Answer {
  const { site } = visit;
  return redirectAnswer(site, withQuery(SIGN_IN_CODE, { next }), [
    setCookie(site, 'pending', pending),
    ...forget(visit, 'notice'),
    ...(draft === undefined ? forget(visit, 'draft') : [setCookie(site, 'draft', draft)]),
  ]);
}

/** `/sign-in/code`: asks for the code of the second factor, and then opens the session. */
export function signInCodeEndpoint(ports: Ports): Endpoint {
  async function show(visit: Visit) {
    const next = ownPath(visit.query.get('next'));
    const { address } = visit.request;
    const found = await ports.findPendingSignIn({ secret: visit.cookie('pending') ?? '', address });
    if (!found.ok) return again(visit, next);
    return codePage(visit, { status: 200, next, draft: visit.cookie('draft') });
  }

  async function submit(visit: Visit) {
    const sent = await readForm(visit.request, FIELDS);
    if (!sent.ok) return errorAnswer(visit, sent.error);
    const next = ownPath(sent.value.values.next);
    const draft = sent.value.values.draft || undefined;
    const secret = visitSecret(visit);
    const { token, target } = sent.value;
    const problem = (status: number, text: string, headers: readonly Header[] = []) =>
      codePage(visit, { status, next, draft, problem: text, headers });
    if (!isFormToken(token, secret, { path: SIGN_IN_CODE, target })) return problem(403, OUTDATED);
    const userAgent = visit.request.headers['user-agent'] ?? null;
    const given = { secret: visit.cookie('pending') ?? '', code: sent.value.values.code, userAgent };
    const completed = await ports.recorded(ports.completeSignIn)(visit.request, given);
    if (completed.ok) {
      const { usedRecoveryCode, recoveryCodesLeft } = completed.value;
      const answer = await answerSignedIn(ports, visit, completed.value, { next, draft, secret });
      if (!usedRecoveryCode) return answer;
      const notice = setCookie(visit.site, 'notice', recoveryCodeNotice(recoveryCodesLeft));
      return { ...answer, headers: [...(answer.headers ?? []), notice] };
    }
    const { error } = completed;
    if (error.code === 'sign_in_expired') return again(visit, next);
    if (error.code === 'second_factor_wrong') return problem(401, WRONG);
    const { status, text, headers } = codePause(error);
    return problem(status, text, headers);
  }

  return createPageEndpoint(ports.findSite, { GET: show, POST: submit });
}

/** Leads the browser back to the password, if the sign-in waits no longer for a code. */
function again(visit: Visit, next: string | undefined): Answer {
  const path = next === undefined ? SIGN_IN : signInPath(next);
  return redirectAnswer(visit.site, path, forget(visit, 'pending'));
}

function codePage(visit: Visit, { status, next, draft, problem, headers = [] }: CodePage): Answer {
  const secret = visitSecret(visit);
  const field = showFields(FIELDS, {});
  const hidden = { ...(next !== undefined && { next }), ...(draft !== undefined && { draft }) };
  const content = form(
    { formToken: (path, target) => formToken(secret, { path, target }) },
    {
      action: SIGN_IN_CODE,
      hidden,
      content: html`${field('code', { hasFocus: true })}
${button('Continue', 'primary')}
<p class="hint">Lost your phone and your recovery codes? Ask an operator of Gatehouse to reset your second factor. <a href="${SIGN_IN}">Sign in as another user</a></p>`,
    },
  );
  const shown = page(
    view({ title: 'Enter the code', content }),
    problem === undefined ? null : alert(problem),
  );
  const challenge = status === 401 ? [CHALLENGE] : [];
  const cookie = visit.cookie('visit') === secret ? [] : [setCookie(visit.site, 'visit', secret)];
  return pageAnswer(visit.site, status, shown, [...challenge, ...cookie, ...headers]);
}
