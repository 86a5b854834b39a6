import type { ServerResponse } from 'node:http';
import { isAddress } from '../wire.ts';

/** Whose token a request carries. */
export interface Caller {
  /** The id of the owner of the token. */
  readonly user: number;
  /** The id of the owner's account. */
  readonly account: number;
  readonly role: string;
  /** The id of the token, not the token itself. */
  readonly token: string;
  /** The scopes that the token has at this service. */
  readonly scopes: readonly string[];
}

/** All verdicts on a token share its remembered caller, so a service must not be able to give it a scope. */
export const frozen = (caller: Caller): Caller =>
  Object.freeze({ ...caller, scopes: Object.freeze([...caller.scopes]) });

/** Whether a service may do what was asked. */
export type Verdict = Accepted | Refused;

export interface Accepted {
  readonly ok: true;
  readonly caller: Caller;
}

export interface Refused {
  readonly ok: false;
  /** 400, 401 or 403 as RFC 6750 section 3.1 has them; 503 if the token cannot be verified now. */
  readonly status: 400 | 401 | 403 | 503;
  /** Whether the token is refused because of the address of the client. */
  readonly isOfNetwork?: true;
  /** For logs. It contains nothing of the token. */
  readonly reason: string;
  /** The headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response for a framework that uses the Fetch standard. */
  response(): Response;
  /** Sends the response with `node:http`. */
  send(response: ServerResponse): void;
}

/** The permission for which a service asks. */
export interface Wanted {
  /** The scope that the token must have, such as `orders:read`. */
  readonly scope: string;
  /**
   * The IP address of the client. A token that may be used only from some networks is refused without it. Gatehouse
   * also shows from where a token was used. Behind a proxy it is not that of the connection, so the verifier does not
   * look for it.
   */
  readonly clientAddress?: string | undefined;
}

/** Accepts the caller if it has the scope. */
export function judge(caller: Caller, { scope }: Wanted): Verdict {
  return caller.scopes.includes(scope) ? { ok: true, caller } : lacksScope(caller, scope);
}

/** The request has no bearer token. RFC 6750 section 3.1 forbids an error code here. */
export const withoutToken = () => refused(401, 'the request has no bearer token', { authenticate: 'Bearer' });

export const invalidRequest = (reason: string) =>
  refused(400, reason, { authenticate: challenge('invalid_request', reason) });

export const invalidToken = () => {
  const reason = 'the token is not valid';
  return refused(401, reason, { authenticate: challenge('invalid_token', reason) });
};

/** How many scopes of a token a reason names. */
const MAX_NAMED = 10;

function lacksScope({ scopes }: Caller, scope: string) {
  // A misspelt scope refuses every token, and is seen beside those that the token has.
  const held = scopes.slice(0, MAX_NAMED).join(' ') + (scopes.length > MAX_NAMED ? ' ...' : '');
  // RFC 6749 section 3.3 says of what a scope consists. No token has another one, and it could end the text of the
  // header.
  const isScope = /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
  const lack = isScope ? `the token lacks the scope ${scope}` : 'the token lacks the scope';
  const wanted = isScope ? `, scope="${scope}"` : '';
  return refused(403, `${lack}; at this service it has ${held}`, {
    authenticate: `${challenge('insufficient_scope', lack)}${wanted}`,
    body: lack,
  });
}

/** The client is outside of the networks of the token, or its address is not known. */
export const networkNotAllowed = (clientAddress: string | undefined): Refused => {
  const body = 'the token may not be used from this network';
  const reason = isAddress(clientAddress)
    ? `${body}: the client is ${clientAddress}`
    : `${body}: the token has networks, and no clientAddress was passed that is an IP address`;
  const authenticate = challenge('network_not_allowed', body);
  return { ...refused(403, reason, { authenticate, body }), isOfNetwork: true };
};

/** @param retryAfter in seconds */
export const unavailable = (reason: string, retryAfter = 1) =>
  // The reason concerns the operators of the service, not its clients.
  refused(503, reason, { body: 'the token cannot be verified now', retryAfter });

const challenge = (error: string, reason: string) => `Bearer error="${error}", error_description="${reason}"`;

interface Told {
  readonly authenticate?: string;
  /** In seconds. */
  readonly retryAfter?: number;
  /** The text for the client, if it is not the reason. */
  readonly body?: string;
}

function refused(status: Refused['status'], reason: string, told: Told): Refused {
  const { authenticate, retryAfter } = told;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...(authenticate && { 'www-authenticate': authenticate }),
    ...(retryAfter && { 'retry-after': `${retryAfter}` }),
  };
  const body = `${told.body ?? reason}\n`;
  return {
    ok: false,
    status,
    reason,
    headers,
    response: () => new Response(body, { status, headers }),
    send: (response) => void response.writeHead(status, headers).end(body),
  };
}
