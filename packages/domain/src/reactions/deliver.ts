import { replaceInvisible } from '../invisible-characters.ts';
import type { Ports } from '../ports.ts';
import { SECRET } from '../secrets-in-text.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { Delivery, DeliveryId, DeliveryPlan, Handled, Reaction } from './reaction.ts';
import type { DueLane, HolderId, LaneOutcome } from './reaction-repository.ts';

/** Waits for the work at most so many milliseconds. Rejects after that, whatever the work does then. */
export type Within = <T>(milliseconds: number, work: Promise<T>) => Promise<T>;

/** How a delivery ended. A failed one is tried again, a parked one is not. */
export type DeliveryOutcome = 'done' | 'dropped' | 'failed' | 'parked';

export interface DeliverPorts extends Ports<'reactions' | 'clock'> {
  readonly within: Within;
  /** Returns a random number like `Math.random`. Random pauses keep lanes that failed together from one another. */
  readonly random: () => number;
  /** Called after each try of a handler. */
  readonly onTried: (delivery: Delivery, outcome: DeliveryOutcome, problem?: string) => void;
}

/** Problems are stored, and shown to operators. */
const MAX_PROBLEM = 500;

/**
 * The longest time between two stores of a lane's outcome, in milliseconds. After a crash, only later events are
 * repeated.
 */
const SETTLE_MS = 1000;

/**
 * The time after which a lane begins no other event, so that lanes that wait go first, in milliseconds. Otherwise slow
 * receivers could keep all places for minutes.
 */
const TURN_MS = 5000;

/** Jitter: a pause is up to this part shorter or longer. */
const JITTER = 0.2;

/**
 * Handles the events of a lane in order, up to the first one that fails, and stores what became of them. Begins no
 * event once `mayGoOn` returns false, or once its turn is over.
 */
export async function deliverLane(
  ports: DeliverPorts,
  reaction: Reaction,
  {
    holder,
    due,
    mayGoOn,
  }: { readonly holder: HolderId; readonly due: DueLane; readonly mayGoOn: () => boolean },
): Promise<void> {
  const { reactions, clock, onTried } = ports;
  const { lane } = due;
  const settle = (outcome: Omit<LaneOutcome, 'lane'>) =>
    reactions.settle(reaction.name, holder, { lane, ...outcome }, clock.now());
  let done: DeliveryId[] = [];
  const begunAt = clock.now();
  let settledAt = begunAt;
  for (const delivery of due.deliveries) {
    if (!mayGoOn() || Math.abs(clock.now() - begunAt) >= TURN_MS) break;
    const handled = await tryOnce(ports, reaction, delivery);
    if (handled.kind === 'failed') {
      const failed = failureOf(delivery, handled, reaction.plan, clock.now(), ports.random());
      onTried(delivery, 'parkedAt' in failed.next ? 'parked' : 'failed', failed.problem);
      await settle({ done, failed });
      return;
    }
    onTried(delivery, handled.kind, handled.kind === 'dropped' ? handled.problem : undefined);
    done.push(delivery.id);
    if (Math.abs(clock.now() - settledAt) < SETTLE_MS) continue;
    if (!(await settle({ done }))) return;
    done = [];
    settledAt = clock.now();
  }
  if (done.length > 0) await settle({ done });
}

/** A handler that throws, or does not end within the deadline, has failed. */
async function tryOnce({ within }: DeliverPorts, reaction: Reaction, delivery: Delivery): Promise<Handled> {
  try {
    return await within(reaction.plan.deadlineMs, reaction.handle(delivery));
  } catch (error) {
    return { kind: 'failed', problem: textOf(error) };
  }
}

/** Handlers of extensions throw anything, also objects that have no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'the problem has no text';
  }
}

/** Problems are kept in the audit log when an event is skipped. */
function shownProblem(problem: string): string {
  const shown = replaceInvisible(problem).slice(0, MAX_PROBLEM);
  return SECRET.test(shown) ? 'the problem contained a token or a code' : shown;
}

type Failed = NonNullable<LaneOutcome['failed']>;

function failureOf(
  { id, tries: before }: Delivery,
  { problem, retryAfterMs = 0 }: Extract<Handled, { kind: 'failed' }>,
  plan: DeliveryPlan,
  now: Instant,
  random: number,
): Failed {
  const tries = before + 1;
  const pauseMs = Math.max(retryAfterMs, pauseAfter(tries, plan, random));
  const next = tries < plan.tries ? { retryAt: addMilliseconds(now, pauseMs) } : { parkedAt: now };
  return { id, tries, problem: shownProblem(problem), next };
}

/** Each pause is twice as long as the one before, up to the longest one. */
export function pauseAfter(
  tries: number,
  { firstPauseMs, longestPauseMs }: Pick<DeliveryPlan, 'firstPauseMs' | 'longestPauseMs'>,
  random: number,
): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return pauseMs * (1 - JITTER + 2 * JITTER * random);
}
