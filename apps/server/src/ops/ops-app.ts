import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MonotonicClock } from '@gatehouse/domain/time';
import { createClientAddress } from '@gatehouse/front';
import {
  type Answer,
  createRequestHandler,
  type Handler,
  jsonAnswer,
  problem,
  type RequestHandlerOptions,
} from '@gatehouse/http';
import { createCoalescedReads } from '@gatehouse/queues';
import { createEndsConnection, type Lifecycle } from '../http/lifecycle.ts';
import { exposition, type MetricsSnapshot } from '../metrics/metrics.ts';

export interface OpsPorts {
  readonly log: RequestHandlerOptions['log'];
  readonly lifecycle: Readonly<Lifecycle>;
  /**
   * Resolves with whether this version of Gatehouse can use the schema of the database. Rejects if the database does
   * not answer.
   */
  readonly databaseIsReady: () => Promise<boolean>;
  /**
   * Resolves with the state of the change feed in each process that answers requests. The state is undefined if that
   * process does not respond in time.
   */
  readonly feedStates: () => Promise<readonly (ChangeFeedState | undefined)[]>;
  /** Resolves with the metrics of each process that answers requests. */
  readonly metrics: () => Promise<readonly MetricsSnapshot[]>;
  readonly monotonicClock: MonotonicClock;
  /**
   * How long `/ready` waits for the answers of the database and of the processes, in milliseconds. The time is short
   * because health probes do not wait long.
   */
  readonly timeoutMs?: number;
}

/**
 * The maximum number of times that the metrics are formatted in one second. Further requests for metrics in that second
 * are answered with the last result.
 */
const MAX_EXPOSITIONS = 10;

/** The answer to a request for metrics, without its body. The content type is the text format of Prometheus. */
const METRICS: Answer = {
  status: 200,
  headers: [['content-type', 'text/plain; version=0.0.4; charset=utf-8']],
  body: null,
};
const LIVE = jsonAnswer('{"status":"live"}');
const READY = jsonAnswer('{"status":"ready"}');
const STARTING = notReady('starting', 'The process is starting.');
const DRAINING = notReady('draining', 'The process is about to end.');
const NO_WORKER_ANSWERS = notReady('no-worker-answers', 'No worker answers.');
const WORKER_SLOW = degraded('A worker does not answer in time.');
const DATABASE_SLOW = degraded('The database does not answer in time.');

/** Creates the handler of the operations listener, which serves health checks and metrics. */
export function createOpsApp(ports: OpsPorts): RequestListener {
  const { lifecycle, log, databaseIsReady, feedStates, timeoutMs = 1000 } = ports;
  const expose = createExpositions(ports);
  const ready: Handler = async () => {
    if (lifecycle.stage === 'starting') return STARTING;
    if (lifecycle.stage === 'draining') return DRAINING;
    let refusal: string | undefined;
    const asked = databaseIsReady().catch((fault: unknown) => {
      if (fault instanceof UnavailableFault || fault instanceof SetupFault) refusal = fault.message;
      return undefined;
    });
    const [schemaFits, states] = await Promise.all([
      within(timeoutMs, asked, undefined),
      within(timeoutMs, feedStates(), []),
    ]);
    if (schemaFits === false) return databaseNotReady('its schema is not the one of this version');
    // The read for the readiness check failed, or got no answer in time. If the change feed of any process is trusted,
    // the database answered that process a moment ago, so the database works. Only the connection for readiness checks
    // is busy or refused, or leads to another server.
    if (schemaFits === undefined) {
      if (!states.some((state) => state?.trusted)) return databaseNotReady(refusal);
      return refusal === undefined ? DATABASE_SLOW : degraded(`The database cannot be read: ${refusal}.`);
    }
    if (states.every((state) => state === undefined)) return NO_WORKER_ANSWERS;
    const deaf = states.find((state) => state?.trusted === false);
    if (deaf) return degraded(`The change feed is not trusted: ${deaf.reason}.`);
    return states.includes(undefined) ? WORKER_SLOW : READY;
  };
  const options = {
    log,
    clientAddress: createClientAddress(undefined),
    endsConnection: createEndsConnection(lifecycle),
  };
  return createRequestHandler(options, {
    '/live': probed(() => LIVE),
    '/ready': probed(ready),
    '/metrics': probed(async () => ({ ...METRICS, body: await expose() })),
  });
}

/** Answers OPTIONS as it answers GET, because HAProxy sends health checks with OPTIONS by default. */
const probed = (handler: Handler) => ({ GET: handler, OPTIONS: handler });

/**
 * Creates the function that formats the metrics, which blocks the event loop for some milliseconds. Concurrent requests
 * share one result, and at most `MAX_EXPOSITIONS` results are made in a second. So a flood of requests for metrics does
 * not delay `/ready`.
 */
function createExpositions({ metrics, monotonicClock }: OpsPorts) {
  const reads = createCoalescedReads<'now', string>();
  let last = '';
  let windowBegan = Number.NEGATIVE_INFINITY;
  let count = 0;
  const read = async () => {
    const now = monotonicClock.elapsedMs();
    if (now - windowBegan >= 1000) [windowBegan, count] = [now, 0];
    if (count >= MAX_EXPOSITIONS) return last;
    last = await exposition(await metrics());
    count += 1;
    return last;
  };
  return () => reads('now', read);
}

/**
 * Returns the answer for a server that is ready, but answers some requests slowly or with 503. A load balancer should
 * prefer another server.
 */
function degraded(reason: string): Answer {
  return jsonAnswer(JSON.stringify({ status: 'degraded', reason }));
}

function databaseNotReady(reason?: string): Answer {
  const why = reason === undefined ? '' : `: ${reason}`;
  return notReady('database-not-ready', `The database cannot be used${why}.`);
}

function notReady(name: string, title: string) {
  return problem({ type: `urn:gatehouse:problem:${name}`, title, status: 503 });
}

function within<T>(milliseconds: number, asked: Promise<T>, otherwise: T): Promise<T> {
  return Promise.race([asked, delay(milliseconds, otherwise, { ref: false })]);
}
