import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { answerAndClose, type Refuse } from './refusals.ts';

/** The maximum number of header fields of a request. A request of a browser through several proxies has about forty. */
const MAX_FIELDS = 200;

/**
 * Refuses requests with more header fields than clients send, because each field takes time to parse. Node itself also
 * limits the number of header fields. Older versions of Node drop the fields above that limit, although their parser
 * has obeyed the dropped fields (CVE-2026-58044). Node's limit is set to one more than `MAX_FIELDS`. So if Node has
 * dropped fields of a request, the request has too many fields and is refused here.
 */
export function limitHeaderFields(server: Server, refuse: Refuse, handle: RequestListener): RequestListener {
  server.maxHeadersCount = MAX_FIELDS + 1;
  return (request, response) => {
    const fields = request.rawHeaders.length / 2;
    if (fields > MAX_FIELDS) answerAndClose(refuse('headers_too_large', request), response);
    else handle(request, response);
  };
}

/**
 * Returns the values of a header field, one for each time that the field was sent. In `headers`, Node has only one of
 * these values, or joins them.
 *
 * @param field the name of the field, in lower case
 */
export function valuesOf({ rawHeaders }: IncomingMessage, field: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === field.length && name.toLowerCase() === field)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
