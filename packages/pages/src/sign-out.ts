import type { Endpoint } from '@gatehouse/http';
import { form } from './elements/form.ts';
import { button } from './elements/inline.ts';
import { readForm } from './forms/form-body.ts';
import { isFormToken } from './forms/form-token.ts';
import { clearCookie, setCookie } from './http/cookies.ts';
import { errorAnswer } from './http/error-page.ts';
import { redirectAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { SIGN_IN, SIGN_OUT } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { answerPage } from './session/answer-page.ts';
import { openRequest, type PageRequest, type PageRequestPorts, requestIn } from './session/page-request.ts';
import { view } from './view.ts';
import type { Visit } from './visit.ts';

type Ports = PageRequestPorts & Pick<PagePorts, 'endSession' | 'findSite'>;

/** `/sign-out`: ends the session, and removes the cookie even if the session has already ended. */
export function signOutEndpoint(ports: Ports): Endpoint {
  const { findSite } = ports;

  async function submit(visit: Visit) {
    const sent = await readForm(visit.request, {});
    if (!sent.ok) return errorAnswer(visit, sent.error);
    const opened = await openRequest(ports, visit, { toEnd: true });
    const request = requestIn(opened);
    if (request) {
      const { token, target } = sent.value;
      const purpose = { path: SIGN_OUT, target, user: request.user.id };
      if (!isFormToken(token, request.formKey, purpose)) return ask(request, 403);
      await ports.endSession(request.caller, request.session.id);
    }
    return redirectAnswer(visit.site, SIGN_IN, [
      clearCookie(visit.site, 'session'),
      setCookie(visit.site, 'notice', 'signed_out'),
    ]);
  }

  async function show(visit: Visit) {
    const opened = await openRequest(ports, visit);
    const request = requestIn(opened);
    return request ? ask(request, 200) : redirectAnswer(visit.site, SIGN_IN);
  }

  return createPageEndpoint(findSite, { GET: show, POST: submit });
}

function ask(request: PageRequest, status: number) {
  const content = form(request, { action: SIGN_OUT, content: button('Sign out', 'primary') });
  return answerPage(request, view({ status, title: 'Sign out of Gatehouse?', content }));
}
