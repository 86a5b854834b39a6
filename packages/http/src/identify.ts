import { type Awaitable, andThen } from '@gatehouse/domain';
import { type AuthenticateToken, refused } from '@gatehouse/domain/tokens';
import { valuesOf } from '@gatehouse/front';
import type { BearerCaller, HttpRequest } from './request.ts';

/** The caller of each request that has no token. */
export const NO_TOKEN = refused('no_token');

/**
 * Creates the function that finds the caller of a request. The function returns `repeated` if the request has more than
 * one token.
 */
export function createIdentify(authenticateToken: AuthenticateToken) {
  return (request: HttpRequest): Awaitable<BearerCaller | 'repeated'> => {
    const credentials = bearerCredentials(request);
    if (typeof credentials === 'string') return credentials === 'none' ? NO_TOKEN : credentials;
    return andThen(hasTokenElsewhere(request), (hasOther) =>
      hasOther ? 'repeated' : authenticateToken(credentials.token, request.address),
    );
  };
}

/**
 * The token of a request, which is not verified yet. `none`: the request has no token, has `Bearer` without a token, or
 * uses another scheme. `repeated`: the request has several tokens.
 */
type BearerCredentials = 'none' | 'repeated' | { readonly token: string };

const SCHEME = 'bearer';

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1). Two `Authorization` headers are an error, even if a
 * proxy joined them to one header: the proxy and this server might otherwise use different tokens.
 */
function bearerCredentials({ headers, node }: HttpRequest): BearerCredentials {
  const { authorization } = headers;
  if (authorization === undefined) return 'none';
  if (valuesOf(node, 'authorization').length > 1) return 'repeated';
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return 'none';
  const rest = authorization.slice(SCHEME.length);
  // A proxy may have joined two headers with a comma. No token has a comma, so the search is skipped for most requests.
  if (rest.includes(',') && /,\s*bearer\s/i.test(rest)) return 'repeated';
  if (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t') return 'none';
  const token = rest.replace(/^ +/, '');
  // White space after the token is not removed here, because Node has already removed it.
  return token === '' ? 'none' : { token };
}

/** The name under which RFC 6750 (sections 2.2 and 2.3) lets clients put a token into a query or a form. */
const PARAMETER = 'access_token';

/**
 * Matches the parameter `access_token` in any percent-encoding. The query is not decoded for this, because decoding a
 * long query takes milliseconds.
 */
const HAS_PARAMETER = new RegExp(`(?:^\\??|&)${[...PARAMETER].map(inAnySpelling).join('')}(?:[=&]|$)`);

/**
 * Returns whether the request has a token in its query or its form, in addition to the one in `Authorization`.
 * Gatehouse never uses such a token. The request is refused, because a proxy might use that token, and the request
 * would have two identities.
 *
 * @param otherwise the result if the form is too large or incomplete. Such a form might contain a token, so it counts as
 * containing one, unless the route reads the form itself and refuses it
 */
export function hasTokenElsewhere(request: HttpRequest, otherwise = true): boolean | Promise<boolean> {
  const { query } = request;
  if (query !== undefined && HAS_PARAMETER.test(query)) return true;
  const { 'content-type': type } = request.headers;
  return type !== undefined && isForm(type) && hasTokenInForm(request, otherwise);
}

function isForm(type: string): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
}

async function hasTokenInForm(request: HttpRequest, otherwise: boolean): Promise<boolean> {
  const bytes = await request.body();
  if (typeof bytes === 'string') return otherwise;
  return HAS_PARAMETER.test(bytes.toString('latin1'));
}

function inAnySpelling(character: string): string {
  const [high, low = ''] = character.charCodeAt(0).toString(16);
  return `(?:${character}|%${high}[${low}${low.toUpperCase()}])`;
}
