import type { Answer, HttpRequest } from '@gatehouse/http';
import type { Log } from './line-kind.ts';

/** Writes a line for each request. */
export type AccessLog = (request: HttpRequest, answer: Answer) => void;

/** The route is logged and not the path, in which there may be anything. */
export function createAccessLog(log: Log): AccessLog {
  return (request, { status }) => {
    const { caller } = request;
    log.info(
      {
        kind: 'request',
        request_id: request.id,
        method: request.method,
        route: request.route ?? null,
        status,
        duration_ms: Math.round(request.elapsedMs * 1000) / 1000,
        address: request.address,
        ...(caller?.kind === 'user' && { token_id: caller.token.id }),
        ...(caller?.kind === 'refused' && { refused: caller.reason }),
      },
      'request',
    );
  };
}
