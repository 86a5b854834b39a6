import { type Awaitable, andThen } from '@gatehouse/domain';
import type { RefusedCaller, ServiceCaller } from '@gatehouse/domain/access';
import type { AuthenticateService } from '@gatehouse/domain/services';
import { refused } from '@gatehouse/domain/tokens';
import { valuesOf } from '@gatehouse/front';
import { hasTokenElsewhere, NO_TOKEN } from './identify.ts';
import type { HttpRequest } from './request.ts';
import { decodePercent } from './request-target.ts';

const NOT_ACCEPTED = refused('credential_not_accepted');

/**
 * Creates the function that finds the service that sent a request, for routes whose rule allows services. The function
 * returns `repeated` if the request has more than one credential, or also a token in its query or its form.
 *
 * @param readsBody whether the route reads a body, and so itself refuses a body that is too large or incomplete
 */
export function createIdentifyService(authenticateService: AuthenticateService, readsBody: boolean) {
  return (request: HttpRequest): Awaitable<ServiceCaller | RefusedCaller | 'repeated'> => {
    const credential = credentialOf(request);
    if (credential === 'none') return NO_TOKEN;
    if (credential === 'repeated') return credential;
    return andThen(hasTokenElsewhere(request, !readsBody), (hasOther) => {
      if (hasOther) return 'repeated';
      if (credential === 'malformed') return NOT_ACCEPTED;
      return authenticateService(credential.secret, request.address, credential.name);
    });
  };
}

/**
 * The credential of a request, which is not checked yet. `none`: the request has no credential, or has a scheme without
 * one. `malformed`: the text after `Basic` is no name and secret. `repeated`: the request has several credentials.
 */
type Credential =
  | 'none'
  | 'malformed'
  | 'repeated'
  | { readonly secret: string; readonly name?: string | undefined };

/** Matches a second credential in a header, as a proxy writes it if it joins two headers. */
const JOINED = /,\s*(?:basic|bearer)\s/i;

function credentialOf({ headers: { authorization }, node }: HttpRequest): Credential {
  if (authorization === undefined) return 'none';
  if (valuesOf(node, 'authorization').length > 1 || JOINED.test(authorization)) return 'repeated';
  const [, scheme, text] = /^(basic|bearer) +(\S.*)$/is.exec(authorization) ?? [];
  if (scheme === undefined || text === undefined) return 'none';
  return scheme.toLowerCase() === 'bearer' ? { secret: text } : basicCredential(text);
}

/** Base64 as RFC 7617 section 2 has it; many clients leave out the padding. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads a name and a secret: base64 of `name:secret` in UTF-8 (RFC 7617 section 2). */
function basicCredential(text: string): Credential {
  if (!BASE64.test(text)) return 'malformed';
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? [];
  if (name === undefined || secret === undefined) return 'malformed';
  return { name: unescaped(name), secret: unescaped(secret) };
}

/**
 * Decodes a text that an OAuth client has encoded as in a form (RFC 6749 section 2.3.1). No name and no secret has
 * characters that a client must encode, so the text of a client that does not encode stays as it is.
 */
const unescaped = (text: string) => decodePercent(text) ?? text;
