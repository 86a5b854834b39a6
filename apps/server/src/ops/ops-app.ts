import type { ChangeFeedState } from '@gatehouse/postgres';
import type { H3 } from 'h3';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { Handler } from '../http/route.ts';
import { createRoutedApp, type RoutedAppOptions } from '../http/routed-app.ts';
import { exposition, type MetricsSnapshot } from '../metrics/metrics.ts';

export interface OpsPorts extends RoutedAppOptions {
  /** Whether the database can be reached and is one that this program can use. */
  readonly databaseIsReady: () => Promise<boolean>;
  /** Whether changes are heard; if not, why. */
  readonly feedState: () => Promise<ChangeFeedState>;
  /** What each process that answers requests has counted and measured. */
  readonly metrics: () => Promise<readonly MetricsSnapshot[]>;
  /** For how long each may think about it, in milliseconds: a probe wants to know soon. */
  readonly patienceMs?: number;
}

/** The text format of Prometheus. */
const METRICS: Answer = {
  status: 200,
  headers: [['content-type', 'text/plain; version=0.0.4; charset=utf-8']],
  body: null,
};
const LIVE = jsonAnswer('{"status":"live"}');
const READY = jsonAnswer('{"status":"ready"}');
const STARTING = notReady('starting', 'The process is starting.');
const DRAINING = notReady('draining', 'The process is about to end.');
const DATABASE_NOT_READY = notReady('database-not-ready', 'The database cannot be used.');
const NO_ANSWER: ChangeFeedState = { trusted: false, reason: 'who should know does not answer' };

/** What those who run the service ask it, on a listener of their own. */
export function createOpsApp(ports: OpsPorts): H3 {
  const { lifecycle, databaseIsReady, feedState, metrics, patienceMs = 1000, ...options } = ports;
  const ready: Handler = async () => {
    if (lifecycle.stage === 'starting') return STARTING;
    if (lifecycle.stage === 'draining') return DRAINING;
    const database = databaseIsReady().catch(() => false);
    if (!(await inTime(database, patienceMs, false))) return DATABASE_NOT_READY;
    const feed = await inTime(feedState(), patienceMs, NO_ANSWER);
    return feed.trusted
      ? READY
      : notReady('change-feed-not-trusted', `Changes are not heard: ${feed.reason}.`);
  };
  return createRoutedApp(
    { lifecycle, ...options },
    {
      '/live': { GET: () => LIVE },
      '/ready': { GET: ready },
      '/metrics': { GET: async () => ({ ...METRICS, body: await exposition(await metrics()) }) },
    },
  );
}

function notReady(name: string, title: string) {
  return problem({ type: `urn:gatehouse:problem:${name}`, title, status: 503 }, []);
}

async function inTime<T>(asked: Promise<T>, patienceMs: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), patienceMs);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
