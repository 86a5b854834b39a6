import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import {
  createListener,
  type Listener,
  type ListenerOptions,
  type ProtectOptions,
  protect,
  type RefusalAnswer,
} from '@gatehouse/front';
import { fittingId, PROBLEM_ANSWERS } from '@gatehouse/http';

export interface HttpServerOptions extends ListenerOptions, Omit<ProtectOptions, 'refuse'> {
  /** Wraps the handler to record its requests in traces. Default: requests are not recorded. */
  readonly traced?: ((handle: RequestListener) => RequestListener) | undefined;
}

/** Serves requests behind the guards of `@gatehouse/front`. It does not listen yet. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): Listener {
  const server = protect(options.traced?.(handle) ?? handle, { ...options, refuse: bareProblem });
  return createListener(server, options);
}

/**
 * Makes the whole response to a request that reaches no route.
 *
 * @param request the part of it that was read
 */
function bareProblem(name: ProblemName, request: IncomingMessage | undefined): RefusalAnswer {
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
