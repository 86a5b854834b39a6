import type { NarrowScope } from '@gatehouse/domain/access';
import type { Header } from './answer.ts';

const REALM = 'Bearer realm="gatehouse"';

/** No credentials of ours came: the challenge says no more than what would help (RFC 6750 section 3.1). */
export const CHALLENGE: Header = ['www-authenticate', REALM];

export const INVALID_REQUEST: Header = ['www-authenticate', `${REALM}, error="invalid_request"`];

export const INVALID_TOKEN: Header = ['www-authenticate', `${REALM}, error="invalid_token"`];

export function insufficientScope(scope: NarrowScope): Header {
  return ['www-authenticate', `${REALM}, error="insufficient_scope", scope="${scope}"`];
}
