import { redirectAnswer } from '../http/page-answer.ts';
import { hasSecret } from '../http/secret-in-address.ts';
import type { VisitHandler } from '../page-endpoint.ts';
import { CHECK_TOKEN_OF_ADDRESS } from '../paths.ts';

/**
 * Makes a handler of pages: if the path or the query has a token in it, the browser is redirected to the page that
 * checks tokens. The token is neither shown nor searched for, and no link of a page repeats it. That page advises to
 * revoke the token, because browsers and proxies keep addresses.
 */
export function refusingToken(handle: VisitHandler): VisitHandler {
  return (visit) =>
    hasSecret(visit.target) ? redirectAnswer(visit.site, CHECK_TOKEN_OF_ADDRESS) : handle(visit);
}
