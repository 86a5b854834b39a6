import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@gatehouse/domain/time';
import type { Log } from '../logging/line-kind.ts';
import { StartError } from '../start/start-error.ts';
import { forkWorker, type WorkerProcess } from './worker.ts';

interface WorkersOptions {
  readonly count: number;
  /** Variables for the workers in addition to this process's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when this process has to stop. */
  readonly requested: Promise<unknown>;
  readonly log: Log;
}

export type Workers = ReturnType<typeof createWorkers>;

/** Longest wait for a worker's metrics, in milliseconds. A scrape leaves out a worker that hangs. */
const METRICS_WITHIN_MS = 1_000;

/**
 * Longest wait for the states of all workers, in milliseconds, if at least one has responded. The load balancer that asked
 * for `/ready` waits meanwhile.
 */
const STATE_WITHIN_MS = 200;

/** Time from the stop request until workers are killed, in milliseconds. */
const KILL_AFTER_MS = 9_000;

/** The same after a second signal, in milliseconds. */
const IMMEDIATE_KILL_AFTER_MS = 1_000;

/**
 * The processes that share the port. `start` resolves when all of them serve. If a worker ends before that, `start` rejects
 * with a `StartError`. A worker that ends later is replaced. Workers that do not stop in time are killed.
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
        { kind: 'worker_ended', worker: worker.pid, status, reason: line, pause_ms: pauseMs },
        'a worker ended: another one replaces it',
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

    /** Returns the states of serving workers, undefined for late ones. Waits for the first without a limit. */
    feedStates() {
      const asked = [...serving].map((worker) => worker.ask('state'));
      return firstAnswers(asked, delay(STATE_WITHIN_MS, undefined, { ref: false }));
    },

    /** Returns the metrics of the workers that respond in time. */
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
 * Returns the responses of several processes, undefined for a process that has not responded when `late` resolves. Even
 * then it waits for the first response without a limit, because all processes may be busy; the caller sets the limit.
 */
export async function firstAnswers<T>(
  asked: readonly Promise<T>[],
  late: Promise<void>,
): Promise<readonly (T | undefined)[]> {
  if (asked.length > 0) await Promise.race(asked);
  return Promise.all(asked.map((answer) => Promise.race([answer, late.then(() => undefined)])));
}

/** A worker that ran this long was healthy, in milliseconds; its exit resets the backoff. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Returns how long to wait before replacing a worker that ran for this time, in milliseconds: 0, unless the previous
 * one was replaced a moment ago.
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
