import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { RefusalAnswer } from '@gatehouse/front';
import { fittingId, PROBLEM_ANSWERS } from '@gatehouse/http';

/**
 * Makes the whole response to a request that reaches no route.
 *
 * @param request the part of it that was read
 */
export function bareProblem(name: ProblemName, request: IncomingMessage | undefined): RefusalAnswer {
  const { status, headers, body } = PROBLEM_ANSWERS[name];
  return {
    status,
    headers: [
      ...headers,
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', (request && fittingId(request)) ?? randomUUID()],
      ['content-length', String(Buffer.byteLength(body ?? ''))],
    ],
    body: body ?? '',
  };
}
