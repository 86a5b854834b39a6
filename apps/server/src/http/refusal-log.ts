import type { ClientAddress } from '@gatehouse/front';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { REFUSED_LINE } from '../log-buffers.ts';
import { nodeRequest, requestId } from './request.ts';

/** Logs each refused bearer token and each denied request, so that guessing leaves a trace. */
export type RefusalLog = (event: H3Event, reason: string) => void;

/** The token is named by its id, where it is known to be one of ours; never by itself. */
export function createRefusalLog(
  log: Logger,
  clientAddress: ClientAddress,
  refusals: { inc(reason: string): void },
): RefusalLog {
  return (event, reason) => {
    const { caller, matchedRoute } = event.context;
    refusals.inc(reason);
    log.info(
      {
        request_id: requestId(event),
        route: matchedRoute?.route ?? null,
        reason,
        address: clientAddress(nodeRequest(event)),
        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id: caller.userId }),
      },
      REFUSED_LINE,
    );
  };
}
