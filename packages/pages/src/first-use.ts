import type { ServerResponse } from 'node:http';
import { isRefusedSinceUse, parseTokenId, type TokenId, type TokenUsage } from '@gatehouse/domain/tokens';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { REFUSAL_WORDS } from './elements/token-words.ts';
import { createSlots, isGone } from './first-use/slots.ts';
import { errorAnswer } from './http/error-page.ts';
import { pageHeaders } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import type { PagePorts } from './ports.ts';
import type { Visit } from './visit.ts';

type Ports = Pick<PagePorts, 'findSession' | 'findSite' | 'isDraining' | 'log' | 'pause' | 'watchTokenUse'>;

/** A stream notices within this time, in milliseconds, that the server drains or its client is gone. */
const STEP_MS = 250;

/** The number of steps between two reads of the token's use: a second. */
const LOOK_STEPS = 4;

/** Steps from one look at the session to the next: 5 seconds. With each look, a comment shows proxies that the stream is alive. */
const SESSION_STEPS = 20;

/** Steps after which a stream ends: 10 minutes. */
const MAX_STEPS = 2400;

const HEADERS: readonly Header[] = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  // Otherwise nginx holds events back until there are many.
  ['x-accel-buffering', 'no'],
];

/** How soon a browser reconnects after a stream that ended without the event `end`, in milliseconds. */
const RETRY = 'retry: 3000\n\n';

/** Browsers do not reconnect after a 204. */
const STOP: Answer = { status: 204, headers: [], body: null, isSameOrigin: true };

/**
 * `/settings/api/{id}/first-use`: server-sent events that report a token's first use while its maker watches. The stream does
 * not extend its session, and reads the database each time, so that any node can serve it.
 */
export function firstUseEndpoint(ports: Ports): Endpoint {
  const { isDraining, log, pause } = ports;
  const slots = createSlots();

  /** Reads the session again. Returns a function that reads the use of the token, or why there is none. */
  async function permit(visit: Visit, id: TokenId) {
    const secret = visit.cookie('session');
    const found =
      secret === undefined
        ? undefined
        : await ports.findSession(secret, visit.request.address, { extend: false });
    if (!found?.ok) return found?.error.reason === 'replaced' ? 'replaced' : 'no_session';
    const watched = await ports.watchTokenUse(found.value.caller, id);
    return watched.ok ? { look: watched.value, userId: found.value.user.id } : 'not_found';
  }

  async function show(visit: Visit): Promise<Answer> {
    // Otherwise a page of another origin could take all places of its visitor.
    if (visit.isFromOtherOrigin) return errorAnswer(visit, 'cross_site_request');
    const id = parseTokenId(visit.params.id ?? '');
    const permitted = id === undefined ? 'not_found' : await permit(visit, id);
    if (id === undefined || permitted === 'not_found') return errorAnswer(visit, 'not_found');
    if (permitted === 'no_session') return { ...STOP, headers: pageHeaders(visit.site) };
    const headers = [...HEADERS, ...pageHeaders(visit.site)];
    if (permitted === 'replaced') return { status: 200, headers, body: RETRY, isSameOrigin: true };
    const { look, userId } = permitted;
    if (slots.isFull(userId)) return errorAnswer(visit, 'overloaded');
    const { method, response } = visit.request;
    if (method !== 'HEAD') slots.hold(userId, response);
    const stream = (response: ServerResponse) =>
      tell(visit, id, look, response)
        .catch((err) => log.warn({ err }, 'the stream of a first use broke off'))
        .finally(() => response.end());
    return { status: 200, headers, body: null, isSameOrigin: true, stream };
  }

  async function tell(visit: Visit, id: TokenId, first: () => Promise<TokenUsage>, response: ServerResponse) {
    let look = first;
    let told = '';
    response.write(RETRY);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      // Without an event `end`, the browser reconnects, to another node.
      if (isDraining() || isGone(response)) return;
      if (step > 0 && step % SESSION_STEPS === 0) {
        const permitted = await permit(visit, id);
        // The browser reconnects with the new secret.
        if (permitted === 'replaced') return;
        if (typeof permitted === 'string') break;
        look = permitted.look;
        if (response.writableLength === 0) response.write(': waiting\n\n');
      }
      // A client that does not read gets the current state later.
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

/** Returns the event for the page; undefined until the token is used or refused. */
function useOf(usage: TokenUsage) {
  const { lastUsedAt, lastUsedFrom, lastRefusal } = usage;
  const from = (address: string | null) => (address === null ? '' : ` from ${address}`);
  if (lastUsedAt !== null && !isRefusedSinceUse(usage))
    return { state: 'used', text: `Used just now${from(lastUsedFrom)}.` };
  if (lastRefusal === null) return undefined;
  const text = `Refused${from(lastRefusal.from)}: ${REFUSAL_WORDS[lastRefusal.reason]}. Still waiting for its first use …`;
  return { state: 'refused', text };
}
