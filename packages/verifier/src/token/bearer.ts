import type { IncomingMessage } from 'node:http';
import { invalidRequest, type Refused, withoutToken } from '../verdict/verdict.ts';

/** A request of `node:http` or of the Fetch standard, or a token alone. */
export type Carrier = string | Pick<Request, 'headers'> | Pick<IncomingMessage, 'rawHeaders'>;

/** A longer text is no token of Gatehouse. */
const TOKEN_MAX_LENGTH = 2048;

/** The token in the `Authorization` header (RFC 6750 section 2.1), or why there is none. */
export function bearerOf(carrier: Carrier): string | Refused {
  if (typeof carrier === 'string') return ofLength(carrier);
  const headers = authorizations(carrier);
  // `IncomingMessage.headers` keeps the first and Fetch joins them. A proxy in front may have judged the other one.
  if (headers.length > 1) return invalidRequest('the request has more than one Authorization header');
  const [scheme = '', token = '', ...others] = headers[0]?.trim().split(/ +/) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return withoutToken();
  if (token === '' || others.length > 0)
    return invalidRequest('the Authorization header is not Bearer and one token');
  return ofLength(token);
}

function ofLength(token: string) {
  return token.length <= TOKEN_MAX_LENGTH ? token : invalidRequest('the token is too long');
}

function authorizations(carrier: Exclude<Carrier, string>): string[] {
  if ('rawHeaders' in carrier) {
    const { rawHeaders } = carrier;
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization');
  }
  // No token of Gatehouse has a comma.
  return carrier.headers.get('authorization')?.split(',') ?? [];
}
