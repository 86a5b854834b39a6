import { UnavailableFault } from '@gatehouse/domain';
import type { H3Event, HTTPError } from 'h3';
import type { Logger } from 'pino';
import type { Answer } from './answer.ts';
import { problemAnswer, RETRY_SOON } from './problem.ts';
import { requestId } from './request.ts';

const MALFORMED_REQUEST = problemAnswer('malformed_request');
const NOT_FOUND = problemAnswer('not_found');
const INTERNAL_ERROR = problemAnswer('internal_error');
const UNAVAILABLE = problemAnswer('unavailable', RETRY_SOON);

/**
 * The answer to whatever was thrown, and a line in the log under the request's id: nothing of it reaches the
 * caller. What the framework throws by itself are requests that it cannot read, or for which it has no route.
 */
export function faultAnswer(error: HTTPError, event: H3Event, log: Logger): Answer {
  if (!error.unhandled) {
    if (error.status === 404) return NOT_FOUND;
    if (error.status === 400) return MALFORMED_REQUEST;
  }
  const fault = error.unhandled ? error.cause : error;
  const facts = {
    request_id: requestId(event),
    route: event.context.matchedRoute?.route ?? null,
    err: fault,
  };
  if (fault instanceof UnavailableFault) {
    log.warn(facts, 'not available');
    return UNAVAILABLE;
  }
  log.error(facts, 'a request failed');
  return INTERNAL_ERROR;
}
