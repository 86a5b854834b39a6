import type { ClientAddress } from '@gatehouse/front';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import type { Answer } from './answer.ts';
import { elapsedMs, nodeRequest, requestId } from './request.ts';

/** Writes a line for each request. */
export type AccessLog = (event: H3Event, answer: Answer) => void;

/** The route is logged and not the path, in which there may be anything. */
export function createAccessLog(log: Logger, clientAddress: ClientAddress): AccessLog {
  return (event, { status }) => {
    const { caller, matchedRoute } = event.context;
    log.info(
      {
        request_id: requestId(event),
        method: event.req.method,
        route: matchedRoute?.route ?? null,
        status,
        duration_ms: Math.round(elapsedMs(event) * 1000) / 1000,
        address: clientAddress(nodeRequest(event)),
        ...(caller?.kind === 'user' && { token_id: caller.token.id }),
        ...(caller?.kind === 'refused' && { refused: caller.reason }),
      },
      'request',
    );
  };
}
