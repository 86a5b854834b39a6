import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { MonotonicClock } from '../time/clock.ts';
import { type AdvancePorts, advanceReaction } from './advance-reaction.ts';
import { type DeliverPorts, deliverLane } from './deliver.ts';
import type { Lane, Reaction } from './reaction.ts';
import type { DueLane, HolderId } from './reaction-repository.ts';
import { lastSealedPosition } from './sealed-events.ts';

export interface RunPorts extends AdvancePorts, DeliverPorts {
  readonly monotonicClock: MonotonicClock;
  /** Called with a fault, such as a lost connection, that ended the work on a lane. The lane is tried again. */
  readonly onFault: (error: unknown) => void;
  /** Called when a lane is done, so that the next step need not wait. */
  readonly wake: () => void;
}

/** A process that died holds the reaction for this long, in milliseconds. */
export const LEASE_MS = 30_000;
/** The time after which a process that runs the reaction takes it for longer, in milliseconds. */
const RENEWAL_MS = 10_000;
/** No event is begun when the process holds the reaction for no longer than this, in milliseconds. */
const MARGIN_MS = 5_000;

/** The number of events of a lane that are read at a time. */
const EACH = 16;

/**
 * `idle`: nothing is to do now. `busy`: the next step has more to do. `not_held`: another process runs the reaction.
 */
export type StepOutcome = 'busy' | 'idle' | 'not_held';

/** Stores a new reaction, which begins with the events that are sealed from now on. */
export async function registerReaction(
  ports: Pick<AdvancePorts, 'reactions' | 'auditSeals'>,
  { name }: Pick<Reaction, 'name'>,
): Promise<void> {
  await ports.reactions.register(name, await lastSealedPosition(ports));
}

/**
 * Runs a reaction in this process, step by step. A step keeps or takes the reaction, addresses the events of one seal,
 * and begins to handle the lanes that are due. It does not wait for handlers, so that a slow lane delays no other one.
 */
export function runReaction(ports: RunPorts, reaction: Reaction, holder: HolderId) {
  const { reactions, clock, monotonicClock } = ports;
  const { name, plan } = reaction;
  const working = new Map<Lane, Promise<void>>();
  let stopped = false;
  let position: AuditPosition | 0 | undefined;
  let heldAt = Number.NEGATIVE_INFINITY;

  const heldForMs = () => monotonicClock.elapsedMs() - heldAt;
  const mayGoOn = () => !stopped && position !== undefined && heldForMs() < LEASE_MS - MARGIN_MS;

  async function hold(): Promise<void> {
    if (position !== undefined && heldForMs() < RENEWAL_MS) return;
    // The store counts from a later time, so the process holds the reaction for longer than it believes.
    const before = monotonicClock.elapsedMs();
    position = await reactions.hold(name, holder, LEASE_MS);
    heldAt = before;
  }

  async function advance(): Promise<boolean> {
    if (position === undefined) return false;
    const advanced = await advanceReaction(ports, reaction, { holder, from: position });
    if (advanced === undefined) return false;
    position = advanced === 'lost' ? undefined : advanced;
    return true;
  }

  function begin(due: DueLane): void {
    const ended = deliverLane(ports, reaction, { holder, due, mayGoOn })
      .finally(() => working.delete(due.lane))
      // Not after a fault, so that the next try is not at once.
      .then(ports.wake, ports.onFault);
    working.set(due.lane, ended);
  }

  async function beginDue(): Promise<void> {
    const free = plan.concurrency - working.size;
    if (free <= 0) return;
    const query = { now: clock.now(), lanes: free, each: EACH, except: [...working.keys()] };
    const due = await reactions.findDue(name, query);
    // The store may have been slow, and another process may hold the reaction now.
    if (mayGoOn()) due.forEach(begin);
  }

  return {
    async step(): Promise<StepOutcome> {
      await hold();
      if (position === undefined) return 'not_held';
      await beginDue();
      return (await advance()) ? 'busy' : 'idle';
    },

    /** Begins no other event. Resolves when the events that are being handled have ended. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(working.values());
    },

    /** Lets another process take the reaction at once. */
    release: () => reactions.release(name, holder),
  };
}
