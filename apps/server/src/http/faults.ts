import { UnavailableFault } from '@gatehouse/domain';
import type { H3Event, HTTPError } from 'h3';
import type { Logger } from 'pino';
import type { Answer } from './answer.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import { requestId } from './request.ts';

/**
 * The answer to whatever was thrown, and a line in the log under the request's id: nothing of it reaches the
 * caller. What the framework throws by itself are requests that it cannot read, or for which it has no route.
 */
export function faultAnswer(error: HTTPError, event: H3Event, log: Logger): Answer {
  if (!error.unhandled) {
    if (error.status === 404) return PROBLEM_ANSWERS.not_found;
    if (error.status === 400) return PROBLEM_ANSWERS.malformed_request;
  }
  const fault = error.unhandled ? error.cause : error;
  const facts = {
    request_id: requestId(event),
    route: event.context.matchedRoute?.route ?? null,
    err: fault,
  };
  if (fault instanceof UnavailableFault) {
    log.warn(facts, 'not available');
    return PROBLEM_ANSWERS.unavailable;
  }
  log.error(facts, 'a request failed');
  return PROBLEM_ANSWERS.internal_error;
}
