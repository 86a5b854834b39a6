import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { form, showFields } from './elements/form.ts';
import { button } from './elements/inline.ts';
import { page } from './elements/layout.ts';
import { alert } from './elements/notice.ts';
import { backTo } from './elements/part.ts';
import { readForm } from './forms/form-body.ts';
import { formToken, isFormToken } from './forms/form-token.ts';
import { html } from './html.ts';
import { setCookie } from './http/cookies.ts';
import { errorAnswer } from './http/error-page.ts';
import { pageAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { FORGOT_PASSWORD, SIGN_IN } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { canForget } from './session/can-forget.ts';
import { passwordLimit } from './session/given-password.ts';
import { visitSecret } from './session/sign-in-page.ts';
import { view } from './view.ts';
import type { Visit } from './visit.ts';

const FIELDS = {
  email: { label: 'Email', type: 'email', autocomplete: 'username', isRequired: true, maxLength: 320 },
} as const;

const OUTDATED =
  'This form was open for too long, or your browser blocks cookies. Allow cookies for this site and try again.';

/**
 * The time of every answer, in milliseconds. The work takes much less, so the time does not tell whether a user has the
 * address.
 */
const ANSWER_MS = 500;

type Ports = Pick<
  PagePorts,
  'findSite' | 'isMailSetUp' | 'passwordSignIn' | 'pause' | 'requestPasswordReset'
>;

interface Shown {
  readonly status?: number;
  readonly problem?: string;
  readonly email?: string;
  readonly headers?: readonly Header[];
}

/** `/forgot-password`: mails a link that sets a new password. The answer is the same for every address. */
export function forgotPasswordEndpoint(ports: Ports): Endpoint {
  function ask(visit: Visit, { status = 200, problem, email = '', headers = [] }: Shown = {}): Answer {
    const secret = visitSecret(visit);
    const field = showFields(FIELDS, { email });
    const content = form(
      { formToken: (path, target) => formToken(secret, { path, target }) },
      {
        action: FORGOT_PASSWORD,
        content: html`<p class="lead">Enter your email to get a link that sets a new password.</p>
${field('email', { hasFocus: true })}
${button('Send link', 'primary')}`,
      },
    );
    const all = view({ title: 'Forgot your password?', above: backTo(SIGN_IN, 'Sign in'), content });
    const cookie = visit.cookie('visit') === secret ? [] : [setCookie(visit.site, 'visit', secret)];
    const shown = page(all, problem === undefined ? null : alert(problem));
    return pageAnswer(visit.site, status, shown, [...cookie, ...headers]);
  }

  async function submit(visit: Visit): Promise<Answer> {
    const sent = await readForm(visit.request, FIELDS);
    if (!sent.ok) return errorAnswer(visit, sent.error);
    const { values, token, target } = sent.value;
    const email = values.email.trim();
    if (!isFormToken(token, visitSecret(visit), { path: FORGOT_PASSWORD, target }))
      return ask(visit, { status: 403, problem: OUTDATED, email });
    const { address } = visit.request;
    const [requested] = await Promise.all([
      ports.requestPasswordReset({ email, address }),
      ports.pause(ANSWER_MS),
    ]);
    if (requested.ok) return asked(visit);
    const { text, ...limit } = passwordLimit(requested.error);
    return ask(visit, { ...limit, problem: text, email });
  }

  const unlessOff = (serve: (visit: Visit) => Answer | Promise<Answer>) => (visit: Visit) =>
    canForget(ports) ? serve(visit) : errorAnswer(visit, 'not_found');
  return createPageEndpoint(ports.findSite, {
    GET: unlessOff((visit) => ask(visit)),
    POST: unlessOff(submit),
  });
}

/** The answer for every address. It does not repeat the address, which may be a password in the wrong field. */
function asked(visit: Visit): Answer {
  const all = view({
    title: 'Check your email',
    above: backTo(SIGN_IN, 'Sign in'),
    content: html`<p class="lead">If a user with this email can reset their password, a link is on its way.</p>
<p>The link works once, for one hour. If no message arrives within a few minutes, check your spam folder, or ask an admin of your account.</p>
<p>Admins cannot reset their password this way. If you are an admin, ask an operator of this server.</p>`,
  });
  return pageAnswer(visit.site, 200, page(all, null), []);
}
