import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { Logger } from 'pino';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { Front } from '../start/front.ts';
import { StartError } from '../start/start-error.ts';
import { firstAnswers } from './answers.ts';
import { createReplacementBackoff } from './backoff.ts';
import { forkWorker, type WorkerProcess } from './worker.ts';

export interface WorkersOptions {
  readonly count: number;
  /** What the workers have to know beyond this process's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when this process is to end. */
  readonly requested: Promise<unknown>;
  readonly log: Logger;
}

/**
 * The processes that share the port. They have started when all of them serve; one that ends before is a
 * `StartError`, and from then on one that ends is replaced. Those that do not end when they should are killed.
 */
export interface Workers extends Front {
  /** Of those that serve, undefined for one that does not answer in time. Waits for the first one without an end. */
  feedStates(): Promise<readonly (ChangeFeedState | undefined)[]>;
  /** Of those that answer in time. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
}

/** Whoever scrapes waits for seconds; a worker that hangs is left out, in milliseconds. */
const METRICS_WITHIN_MS = 1_000;

/**
 * How long the others may take to tell their states once one has, from the question on, in milliseconds: a load
 * balancer waits for the answer.
 */
const STATE_WITHIN_MS = 200;

/** From the request to stop, in milliseconds. */
const KILL_AFTER_MS = 9_000;

/** For those who do not want to wait, in milliseconds. */
const KILL_IMPATIENTLY_AFTER_MS = 1_000;

export function createWorkers(options: WorkersOptions): Workers {
  const { count, environment, requested, log } = options;
  const alive = new Set<WorkerProcess>();
  const serving = new Set<WorkerProcess>();
  const stopping = new AbortController();
  const started = Promise.withResolvers<string | undefined>();
  let isStarted = false;
  let places: readonly Promise<void>[] = [];

  async function keepPlace(): Promise<void> {
    const backoff = createReplacementBackoff();
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const worker = forkWorker(environment);
      alive.add(worker);
      void worker.serving.then((url) => {
        serving.add(worker);
        if (isStarted) log.info({ worker: worker.pid }, 'a worker serves in place of one that ended');
        if (serving.size < count) return;
        isStarted = true;
        started.resolve(url);
      });
      const { status, line } = await worker.ended;
      alive.delete(worker);
      serving.delete(worker);
      if (stopping.signal.aborted) return;
      if (!isStarted) {
        started.reject(new StartError(line ?? `a worker ended while it started (${status})`));
        return;
      }
      const pauseMs = backoff(performance.now() - since);
      log.error(
        { worker: worker.pid, status, reason: line, pause_ms: pauseMs },
        'a worker ended: another one takes its place',
      );
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      void requested.then(() => started.resolve(undefined));
      places = Array.from({ length: count }, keepPlace);
      return started.promise;
    },

    async feedStates() {
      const late = delay(STATE_WITHIN_MS, undefined, { ref: false });
      return firstAnswers(
        [...serving].map((worker) => worker.feedState()),
        late,
      );
    },

    async metrics() {
      const late = delay(METRICS_WITHIN_MS, undefined, { ref: false });
      const asked = [...serving].map((worker) => Promise.race([worker.metrics(), late]));
      return (await Promise.all(asked)).filter((snapshot) => snapshot !== undefined);
    },

    async stop(impatience) {
      stopping.abort();
      const kill = () => {
        for (const worker of alive) worker.kill();
      };
      const timers = [setTimeout(kill, KILL_AFTER_MS)];
      const cut = () => {
        for (const worker of alive) worker.order('cut');
        timers.push(setTimeout(kill, KILL_IMPATIENTLY_AFTER_MS));
      };
      for (const worker of alive) worker.order('stop');
      if (impatience.aborted) cut();
      impatience.addEventListener('abort', cut);
      await Promise.all(places);
      impatience.removeEventListener('abort', cut);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
