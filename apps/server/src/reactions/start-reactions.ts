import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Repositories } from '@gatehouse/domain';
import {
  type HolderId,
  type Reaction,
  registerReaction,
  runReaction,
  type StepOutcome,
  waitsSince,
} from '@gatehouse/domain/reactions';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import type { Log } from '../logging/line-kind.ts';
import type { ReactionMetrics } from '../metrics/reaction-metrics.ts';
import { createRepeatedDrops } from './repeated-drops.ts';
import { within } from './within.ts';

/** The pause after a step, in milliseconds. A process that does not run the reaction asks less often whether it may. */
const PAUSES_MS: Readonly<Record<StepOutcome, number>> = { busy: 0, idle: 1_000, not_held: 5_000 };
/** The pause after a fault, such as a lost connection, in milliseconds. */
const RETRY_MS = 5_000;
/** The time between two measurements of how far reactions are, in milliseconds. */
const MEASURE_MS = 10_000;
/** How long a stop waits for handlers, in milliseconds. Another process handles these events again. */
const STOP_MS = 5_000;

export interface ReactionsParts {
  readonly reactions: readonly Reaction[];
  readonly repositories: Pick<Repositories, 'reactions' | 'auditSeals'>;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly log: Log;
  readonly metrics: Pick<ReactionMetrics, 'tried' | 'show'>;
  /** Waits for this time, or until the signal is aborted. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Runs every reaction that no other server runs, until the returned function is called. Then the events that are being
 * handled are waited for, and another server may go on.
 */
export function startReactions({ reactions, ...parts }: ReactionsParts): () => Promise<void> {
  const holder = randomUUID() as string as HolderId;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = reactions.map((each) => repeat(parts, each, holder, signal));
  const ended = Promise.all([measure(parts, signal), ...running]);
  return async () => {
    stopping.abort();
    await ended;
  };
}

/** Measures every stored reaction, also those that another server runs, or none. */
async function measure(
  { repositories, clock, metrics, pause = unrefDelay }: Omit<ReactionsParts, 'reactions'>,
  stop: AbortSignal,
): Promise<void> {
  const statesNow = async () => {
    const states = await repositories.reactions.list();
    const sinces = states.map(async (state) => ({ ...state, since: await waitsSince(repositories, state) }));
    return Promise.all(sinces);
  };
  while (!stop.aborted) {
    // Unknown while the database does not answer.
    metrics.show(await statesNow().catch(() => []), clock.now());
    await pause(MEASURE_MS, stop).catch(() => undefined);
  }
}

async function repeat(
  parts: Omit<ReactionsParts, 'reactions'>,
  reaction: Reaction,
  holder: HolderId,
  stop: AbortSignal,
): Promise<void> {
  const { log, clock, monotonicClock, repositories, metrics, pause = unrefDelay } = parts;
  const { name } = reaction;
  const isRepeated = createRepeatedDrops(monotonicClock);
  let waking = new AbortController();
  const running = runReaction(
    {
      ...repositories,
      clock,
      monotonicClock,
      within,
      random: Math.random,
      wake: () => waking.abort(),
      onFault: (error) => warn(error),
      onTried(delivery, outcome, problem) {
        metrics.tried(name, outcome);
        if (outcome === 'done') return;
        const { id, lane, position, tries } = delivery;
        if (outcome === 'dropped' && isRepeated(lane, problem)) return;
        const facts = {
          kind: 'reaction_failed',
          reaction: name,
          id,
          lane,
          position,
          tries,
          problem,
        } as const;
        if (outcome === 'parked') log.error(facts, 'a reaction gave an event up after its last try');
        else
          log.warn(facts, `an event of a reaction was ${outcome === 'failed' ? 'not handled' : 'dropped'}`);
      },
    },
    reaction,
    holder,
  );

  function warn(error: unknown): void {
    if (!stop.aborted)
      log.warn(
        { kind: 'reaction_held_up', reaction: name, err: error },
        'a reaction cannot go on: it is tried again',
      );
  }
  const work = () =>
    running.step().then(
      (outcome) => PAUSES_MS[outcome],
      (error) => {
        warn(error);
        return RETRY_MS;
      },
    );

  let isRegistered = false;
  while (!stop.aborted) {
    if (!isRegistered)
      isRegistered = await registerReaction(repositories, reaction).then(
        () => true,
        (error) => {
          warn(error);
          return false;
        },
      );
    waking = new AbortController();
    const pauseMs = isRegistered ? await work() : RETRY_MS;
    // Rejects when a lane is done, which makes room for another one, or when the server stops.
    if (pauseMs > 0) await pause(pauseMs, AbortSignal.any([stop, waking.signal])).catch(() => undefined);
  }
  // While a handler is at work, this process keeps the reaction, so that no other process begins the same event.
  await within(STOP_MS, running.stop())
    .then(running.release)
    .catch(() => undefined);
}

const unrefDelay = (milliseconds: number, signal: AbortSignal) =>
  delay(milliseconds, undefined, { signal, ref: false });
