import type { RefusalLog } from '@gatehouse/http';
import type { Logger } from 'pino';
import { ofKind } from './line-kind.ts';

/** The token is named by its id, where it is known to be one of ours; never by itself. */
export function createRefusalLog(log: Logger, refusals: { inc(reason: string): void }): RefusalLog {
  return (request, reason) => {
    const { caller } = request;
    refusals.inc(reason);
    log.info(
      ofKind('refused', {
        request_id: request.id,
        route: request.route ?? null,
        reason,
        address: request.address,
        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id: caller.userId }),
      }),
      'refused',
    );
  };
}
