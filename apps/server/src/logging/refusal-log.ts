import type { RefusalLog } from '@gatehouse/http';
import type { Log } from './line-kind.ts';

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
