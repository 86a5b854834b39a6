import type { Answer, HttpRequest, RefusalLog } from '@gatehouse/http';
import type { Log } from './line-kind.ts';

/**
 * Writes a log line for each answered request. The line has the route and not the path, because clients can put any
 * text into a path.
 */
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
        ...(caller?.kind === 'service' && { service: caller.service }),
        ...(caller?.kind === 'refused' && { refused: caller.reason }),
      },
      'a request was answered',
    );
  };
}

/**
 * Logs and counts each request whose token, credential or access was refused. A known token is logged by its id, and a
 * service by its name; neither a token nor a credential is logged by its text.
 */
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
        ...(caller?.kind === 'service' && { service: caller.service }),
      },
      'a request with a token was refused',
    );
  };
}
