import type { IncomingMessage } from 'node:http';
import { invalidRequest, type Refused, withoutToken } from '../verdict/verdict.ts';

/** A request of `node:http` or of the Fetch standard, or a token alone. */
export type Carrier = string | Pick<Request, 'headers'> | Pick<IncomingMessage, 'rawHeaders'>;

/** A longer text is no token of Gatehouse. */
const TOKEN_MAX_LENGTH = 2048;

const NAME = 'authorization';

/** The token in the `Authorization` header (RFC 6750 section 2.1), or why there is none. */
export function bearerOf(carrier: Carrier): string | Refused {
  if (typeof carrier === 'string') return ofLength(carrier);
  const headers = authorizations(carrier);
  // `IncomingMessage.headers` keeps the first and Fetch joins them. A proxy in front may have judged the other one.
  if (headers.length > 1) return invalidRequest('the request has more than one Authorization header');
  const header = headers[0]?.trim() ?? '';
  // No regular expressions and no lists of pieces: this runs for every request.
  const end = header.indexOf(' ');
  const scheme = end === -1 ? header : header.slice(0, end);
  if (scheme.toLowerCase() !== 'bearer') return withoutToken();
  const token = end === -1 ? '' : withoutSpacesBefore(header.slice(end));
  if (token === '' || token.includes(' '))
    return invalidRequest('the Authorization header is not Bearer and one token');
  return ofLength(token);
}

function withoutSpacesBefore(text: string): string {
  let begin = 0;
  while (text[begin] === ' ') begin += 1;
  return text.slice(begin);
}

function ofLength(token: string) {
  return token.length <= TOKEN_MAX_LENGTH ? token : invalidRequest('the token is too long');
}

function authorizations(carrier: Exclude<Carrier, string>): string[] {
  if ('rawHeaders' in carrier) {
    const { rawHeaders } = carrier;
    const found: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (name.length === NAME.length && name.toLowerCase() === NAME) found.push(rawHeaders[i + 1] as string);
    }
    return found;
  }
  // No token of Gatehouse has a comma.
  return carrier.headers.get(NAME)?.split(',') ?? [];
}
