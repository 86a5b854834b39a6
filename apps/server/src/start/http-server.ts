import {
  createListener,
  type Listener,
  type ListenerOptions,
  type ProtectOptions,
  protect,
  type RequestHandler,
} from '@gatehouse/front';
import { bareProblem } from '../http/bare-problem.ts';

export interface HttpServerOptions extends ListenerOptions, Omit<ProtectOptions, 'refuse'> {
  /** Wraps the handler to record its requests. Default: not recorded. */
  readonly traced?: ((handle: RequestHandler) => RequestHandler) | undefined;
}

/** Serves requests behind the guards of `@gatehouse/front`. It does not listen yet. */
export function createHttpServer(handle: RequestHandler, options: HttpServerOptions): Listener {
  const server = protect(options.traced?.(handle) ?? handle, { ...options, refuse: bareProblem });
  return createListener(server, options);
}
