import { type CompletedProviderSignIn, parseProviderId } from '@gatehouse/domain/identity-providers';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { clearCookie, readCookie, setCookie } from '../http/cookies.ts';
import { ownPath } from '../http/own-path.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { providerReturnPath, SIGN_IN_METHODS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { type AnswerSignedInPorts, afterSignIn } from '../session/answer-signed-in.ts';
import { openRequest, requestIn } from '../session/page-request.ts';
import { visitSecret } from '../session/sign-in-page.ts';
import type { Visit } from '../visit.ts';
import { continuePage } from './continue-page.ts';
import { refusedAnswer } from './refused-answer.ts';

type Ports = AnswerSignedInPorts &
  Pick<PagePorts, 'completeProviderSignIn' | 'findSite' | 'noteProviderSignIn'>;

/** `/sign-in/return/{provider}`: completes what the browser began, when the identity provider sends it back. */
export function signInReturnEndpoint(ports: Ports): Endpoint {
  async function complete(visit: Visit): Promise<Answer> {
    const { request, site } = visit;
    const provider = parseProviderId(visit.params.provider ?? '');
    if (provider === undefined)
      return refusedAnswer(visit, {
        code: 'provider_sign_in_refused',
        reason: 'provider_unknown',
        detail: null,
      });
    const own = requestIn(await openRequest(ports, visit, { extend: false }));
    const session = own && { id: own.session.id, secret: own.secret };
    const completed = await ports.completeProviderSignIn({
      provider,
      query: visit.query,
      browser: visit.cookie('attempt'),
      session,
      redirectUri: `${site.origin}${providerReturnPath(provider)}`,
      address: request.address,
      userAgent: request.headers['user-agent'] ?? null,
    });
    ports.noteProviderSignIn(request, provider, completed.ok ? undefined : completed.error);
    return completed.ok ? done(visit, completed.value) : refusedAnswer(visit, completed.error);
  }

  async function done(visit: Visit, completed: CompletedProviderSignIn): Promise<Answer> {
    const { site } = visit;
    const next = ownPath(completed.next);
    if (completed.did === 'linked')
      return onward(visit, SIGN_IN_METHODS, [setCookie(site, 'notice', 'identity_linked')]);
    if (completed.did === 'confirmed')
      return onward(visit, next ?? SIGN_IN_METHODS, [setCookie(site, 'session', completed.secret)]);
    const { session, user, secret, formKey } = completed;
    // The request counts as one of the provider, so `visit.cookie` does not return the draft.
    const draft = readCookie(visit.request.node, site, 'draft');
    const opened = { session, role: user.role, secret, formKey };
    const { path, headers } = await afterSignIn(ports, visit, opened, {
      next,
      draft,
      secret: visitSecret(visit),
    });
    return onward(visit, path, headers);
  }

  function onward(visit: Visit, path: string, headers: readonly Header[]): Answer {
    return continuePage(visit, path, 'Gatehouse', [clearCookie(visit.site, 'attempt'), ...headers]);
  }

  return createPageEndpoint(ports.findSite, { GET: complete });
}
