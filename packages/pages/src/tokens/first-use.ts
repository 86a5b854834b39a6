import type { ServerResponse } from 'node:http';
import { isRefusedSinceUse, parseTokenId, type TokenId, type TokenUsage } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { REFUSAL_WORDS } from '../elements/token-words.ts';
import { errorAnswer } from '../http/error-page.ts';
import { pageHeaders } from '../http/page-answer.ts';
import { createSlots, isGone } from '../http/slots.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import type { PagePorts } from '../ports.ts';
import { openRequest, type PageRequestPorts } from '../session/page-request.ts';
import type { Visit } from '../visit.ts';

type Ports = PageRequestPorts &
  Pick<PagePorts, 'findSite' | 'isDraining' | 'log' | 'pause' | 'watchTokenUse'>;

/** A user watches one token at a time. */
const LIMITS = { total: 50, each: 5 };

/** How often a stream checks whether the server is shutting down or the client has disconnected, in milliseconds. */
const STEP_MS = 250;

/** The number of steps between two reads of the token's use: the stream reads it every second. */
const LOOK_STEPS = 4;

/**
 * The number of steps between two reads of the session: the stream reads it every 5 seconds. It then also sends a
 * comment, because proxies close idle streams.
 */
const SESSION_STEPS = 20;

/** The number of steps after which a stream ends: 10 minutes. */
const MAX_STEPS = 2400;

const HEADERS: readonly Header[] = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  // Without this header field, nginx does not send an event on before it has received several kilobytes.
  ['x-accel-buffering', 'no'],
];

/** Tells the browser to reconnect after 3 seconds if the stream ends without the event `end`. */
const RETRY = 'retry: 3000\n\n';

/** The answer to a request without a session. After the status 204, a browser does not reconnect. */
const STOP: Answer = { status: 204, headers: [], body: null, isSameOrigin: true };

/**
 * `/settings/api/{id}/first-use`: server-sent events that tell the page of a new token when the token is used. The
 * stream does not extend the session. It reads the use of the token from the database, so any node can serve the
 * stream.
 */
export function firstUseEndpoint(ports: Ports): Endpoint {
  const { isDraining, log, pause } = ports;
  const slots = createSlots<UserId>(LIMITS);

  /**
   * Reads the session. Returns a function that reads the use of the token, or the reason why the user may not watch the
   * token.
   */
  async function permit(visit: Visit, id: TokenId) {
    const opened = await openRequest(ports, visit, { extend: false });
    if (opened.state !== 'open') return opened.state;
    const { caller, user } = opened.request;
    const watched = await ports.watchTokenUse(caller, id);
    return watched.ok ? { look: watched.value, userId: user.id } : 'not_found';
  }

  async function show(visit: Visit): Promise<Answer> {
    // Without this check, a page of another site could use up all streams that a signed-in user may open.
    if (visit.isFromOtherOrigin) return errorAnswer(visit, 'cross_site_request');
    const id = parseTokenId(visit.params.id ?? '');
    const permitted = id === undefined ? 'not_found' : await permit(visit, id);
    if (id === undefined || permitted === 'not_found') return errorAnswer(visit, 'not_found');
    if (permitted === 'none' || permitted === 'must_enrol')
      return { ...STOP, headers: pageHeaders(visit.site) };
    const headers = [...HEADERS, ...pageHeaders(visit.site)];
    if (permitted === 'replaced') return { status: 200, headers, body: RETRY, isSameOrigin: true };
    const { look, userId } = permitted;
    if (slots.isFull(userId)) return errorAnswer(visit, 'overloaded');
    const { method, response } = visit.request;
    if (method !== 'HEAD') slots.hold(userId, response);
    const stream = (response: ServerResponse) =>
      tell(visit, id, look, response)
        .catch((err) => log.warn({ err }, 'a stream of /first-use failed, and the browser reconnects'))
        .finally(() => response.end());
    return { status: 200, headers, body: null, isSameOrigin: true, stream };
  }

  async function tell(visit: Visit, id: TokenId, first: () => Promise<TokenUsage>, response: ServerResponse) {
    let look = first;
    let told = '';
    response.write(RETRY);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      // The stream ends without the event `end`, so the browser reconnects. If this node is shutting down, the browser
      // connects to another node.
      if (isDraining() || isGone(response)) return;
      if (step > 0 && step % SESSION_STEPS === 0) {
        const permitted = await permit(visit, id);
        // The session has a new secret. The browser reconnects with that secret.
        if (permitted === 'replaced') return;
        if (typeof permitted === 'string') break;
        look = permitted.look;
        if (response.writableLength === 0) response.write(': waiting\n\n');
      }
      // Writes nothing more until the client has read the previous events.
      if (step % LOOK_STEPS === 0 && response.writableLength === 0) {
        const use = useOf(await look());
        const event = use && `event: use\ndata: ${JSON.stringify(use)}\n\n`;
        if (event && event !== told) response.write(event);
        told = event ?? told;
        if (use?.state === 'used') break;
      }
      await pause(STEP_MS);
    }
    response.write('event: end\ndata:\n\n');
  }

  return createPageEndpoint(ports.findSite, { GET: show });
}

/** Returns the state and the text that the page shows; undefined until the token is used or refused. */
function useOf(usage: TokenUsage) {
  const { lastUsedAt, lastUsedFrom, lastRefusal } = usage;
  const from = (address: string | null) => (address === null ? '' : ` from ${address}`);
  if (lastUsedAt !== null && !isRefusedSinceUse(usage))
    return { state: 'used', text: `Used just now${from(lastUsedFrom)}.` };
  if (lastRefusal === null) return undefined;
  const text = `Refused${from(lastRefusal.from)}: ${REFUSAL_WORDS[lastRefusal.reason]}. Still waiting for the first use of the token …`;
  return { state: 'refused', text };
}
