import type { Answer, HttpRequest, RefusalLog } from '@gatehouse/http';
import type { Log } from './line-kind.ts';

/** Writes a line for each request. It has the route and not the path, which may contain anything. */
export function createAccessLog(log: Log) {
  return (request: HttpRequest, { status }: Answer): void => {
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

/** Logs each refusal. Names a known token by its id, and never logs a token itself. */
export function createRefusalLog(log: Log, refusals: { inc(reason: string): void }): RefusalLog {
  return (request, reason) => {
    const { caller } = request;
    refusals.inc(reason);
    log.info(
      {
        kind: 'refused',
        request_id: request.id,
        route: request.route ?? null,
        reason,
        address: request.address,
        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id: caller.userId }),
      },
      'refused',
    );
  };
}
