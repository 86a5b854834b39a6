import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@gatehouse/domain/time';
import type { Log } from '../logging/line-kind.ts';
import { StartError } from '../start/start-error.ts';
import { forkWorker, type WorkerProcess } from './worker.ts';

interface WorkersOptions {
  readonly count: number;
  /** Environment variables for the workers, in addition to those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when this process has to stop. */
  readonly requested: Promise<unknown>;
  readonly log: Log;
}

export type Workers = ReturnType<typeof createWorkers>;

/** How long to wait for a worker's metrics, in milliseconds. The metrics of a worker that takes longer are left out. */
const METRICS_WITHIN_MS = 1_000;

/**
 * How long to wait for the states of all workers, in milliseconds, if at least one worker has answered. It is short,
 * because a load balancer waits for the answer of `/ready` meanwhile.
 */
const STATE_WITHIN_MS = 200;

/** Time from the stop request until workers are killed, in milliseconds. */
const KILL_AFTER_MS = 9_000;

/** Time from a second stop request until workers are killed, in milliseconds. */
const IMMEDIATE_KILL_AFTER_MS = 1_000;

/**
 * Creates the workers: processes that answer requests at the same port. `start` resolves when all workers are ready,
 * and rejects with a `StartError` if a worker ends before that. A worker that ends later is replaced. Workers that do
 * not stop in time are killed.
 */
export function createWorkers({ count, environment, requested, log }: WorkersOptions) {
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
        if (isStarted)
          log.info({ worker: worker.pid }, 'a new worker serves in place of a worker that ended');
        if (serving.size < count) return;
        isStarted = true;
        started.resolve(url);
      });
      const { status, line } = await worker.ended;
      alive.delete(worker);
      serving.delete(worker);
      if (stopping.signal.aborted) return;
      if (!isStarted) {
        started.reject(new StartError(line ?? `a worker process ended before it was ready (${status})`));
        return;
      }
      const pauseMs = backoff(performance.now() - since);
      log.error(
        { kind: 'worker_ended', worker: worker.pid, status, reason: line, pause_ms: pauseMs },
        'a worker ended: a new worker replaces it',
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

    /**
     * Resolves with the change feed's state in each ready worker; undefined for a worker that answers too late. Waits
     * without a time limit until at least one worker has answered.
     */
    feedStates() {
      const asked = [...serving].map((worker) => worker.ask('state'));
      return firstAnswers(asked, delay(STATE_WITHIN_MS, undefined, { ref: false }));
    },

    /** Resolves with the metrics of each worker that answers within `METRICS_WITHIN_MS`. */
    async metrics() {
      const late = delay(METRICS_WITHIN_MS, undefined, { ref: false });
      const asked = [...serving].map((worker) => Promise.race([worker.ask('metrics'), late]));
      return (await Promise.all(asked)).filter((snapshot) => snapshot !== undefined);
    },

    async stop(stopNow: AbortSignal) {
      stopping.abort();
      const kill = () => {
        for (const worker of alive) worker.kill();
      };
      const timers = [setTimeout(kill, KILL_AFTER_MS)];
      const cut = () => {
        for (const worker of alive) worker.command('cut');
        timers.push(setTimeout(kill, IMMEDIATE_KILL_AFTER_MS));
      };
      for (const worker of alive) worker.command('stop');
      if (stopNow.aborted) cut();
      stopNow.addEventListener('abort', cut);
      await Promise.all(places);
      stopNow.removeEventListener('abort', cut);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * Resolves with the answers of several processes; undefined for a process that has not answered when `late` resolves.
 * If no process has answered when `late` resolves, waits for one answer without a time limit, because all processes may
 * be busy. The caller must set a time limit for that wait.
 */
export async function firstAnswers<T>(
  asked: readonly Promise<T>[],
  late: Promise<void>,
): Promise<readonly (T | undefined)[]> {
  if (asked.length > 0) await Promise.race(asked);
  return Promise.all(asked.map((answer) => Promise.race([answer, late.then(() => undefined)])));
}

/** If a worker ran for at least this time, in milliseconds, it was healthy, and its replacement starts at once. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Creates the function that returns how long to wait before a worker is replaced, in milliseconds, given how long the
 * worker ran. The first wait is 0. It grows while workers end soon after their start, and is 0 again after a healthy
 * worker.
 */
export function createReplacementBackoff(random: () => number = Math.random): (livedMs: number) => number {
  const backoff = createBackoff({ firstMs: 100, longestMs: 10_000, random });
  let isFirst = true;
  return (livedMs) => {
    if (livedMs >= HEALTHY_AFTER_MS) {
      isFirst = true;
      backoff.reset();
    }
    if (!isFirst) return Math.round(backoff.next());
    isFirst = false;
    return 0;
  };
}
