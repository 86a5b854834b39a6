import { parseProviderId } from '@gatehouse/domain/identity-providers';
import { type Answer, type Endpoint, type HttpRequest, isPlainForm, parseForm } from '@gatehouse/http';
import type { PagePorts } from '../ports.ts';

/** The longest log-out token that is read, in bytes. */
const TOKEN_MAX_BYTES = 16_384;

/**
 * `/sign-in/log-out/{provider}`: an identity provider ends the sessions that it opened (OpenID Connect Back-Channel
 * Logout 1.0 section 2.5). The provider's server sends the request, so it has neither cookies nor a form token.
 */
export function logOutEndpoint(
  ports: Pick<PagePorts, 'endProviderSessions' | 'noteProviderLogOut'>,
): Endpoint {
  return {
    async POST(request) {
      const provider = parseProviderId(request.params.provider ?? '');
      const logOutToken = await tokenIn(request);
      if (provider === undefined || logOutToken === undefined)
        return refused('the body must be a form with the parameter logout_token');
      const ended = await ports.endProviderSessions({ provider, logOutToken, address: request.address });
      ports.noteProviderLogOut(request, provider, ended);
      return ended.ok ? answer(200) : refused(ended.error.reason);
    },
  };
}

async function tokenIn(request: HttpRequest): Promise<string | undefined> {
  request.bodyLimit = TOKEN_MAX_BYTES;
  if (!isPlainForm(request)) return undefined;
  const bytes = await request.body();
  const pairs = typeof bytes === 'string' ? undefined : parseForm(bytes);
  const tokens = (pairs ?? []).filter(([name]) => name === 'logout_token').map(([, value]) => value);
  return tokens.length === 1 ? tokens[0] : undefined;
}

const answer = (status: number, body = ''): Answer => ({
  status,
  headers: [
    ['cache-control', 'no-store'],
    ...(body === '' ? [] : [['content-type', 'application/json'] as const]),
  ],
  body,
});

/** The answer of section 2.8. The description says what was wrong, and repeats nothing of the token. */
const refused = (description: string) =>
  answer(400, JSON.stringify({ error: 'invalid_request', error_description: description }));
