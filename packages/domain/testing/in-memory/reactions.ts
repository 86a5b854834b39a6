import { err, ok } from '../../src/index.ts';
import type {
  Delivery,
  DeliveryId,
  HolderId,
  Lane,
  ReactionName,
  ReactionRepository,
  ReactionState,
  StuckDelivery,
} from '../../src/reactions/index.ts';
import type { Instant } from '../../src/time/index.ts';
import type { State } from './state.ts';

interface StoredDelivery extends Delivery {
  readonly problem: string | null;
  readonly parkedAt: Instant | null;
}

/** How far a reaction is. Never changes: a change replaces it. */
export interface StoredReaction {
  readonly position: ReactionState['position'];
  /** The process that holds the reaction, until a time of `performance.now`. */
  readonly held: { readonly by: HolderId; readonly until: number } | undefined;
  readonly lanes: ReadonlyMap<Lane, Instant>;
  /** In the order of their positions. */
  readonly deliveries: readonly StoredDelivery[];
}

const NOT_FOUND = err({ code: 'reaction_not_found' });

const isHeld = ({ held }: StoredReaction) => held !== undefined && held.until > performance.now();
const waitingIn = ({ deliveries }: StoredReaction, lane: Lane) =>
  deliveries.filter((each) => each.lane === lane && each.parkedAt === null);

/** Sets the time of the next try of a lane, or deletes the lane if no event waits in it. */
function withNext(reaction: StoredReaction, lane: Lane, nextAt: Instant): StoredReaction {
  const lanes = new Map(reaction.lanes);
  if (waitingIn(reaction, lane).length === 0) lanes.delete(lane);
  else lanes.set(lane, nextAt);
  return { ...reaction, lanes };
}

function stateOf(name: ReactionName, reaction: StoredReaction): ReactionState {
  const waiting = reaction.deliveries.filter(({ parkedAt }) => parkedAt === null);
  return {
    name,
    position: reaction.position,
    waiting: waiting.length,
    waitingSince: waiting[0]?.event.at ?? null,
    failing: waiting.filter(({ tries }) => tries > 0).length,
    parked: reaction.deliveries.length - waiting.length,
    running: isHeld(reaction),
  };
}

function toStuck(reaction: ReactionName, delivery: StoredDelivery, stored: StoredReaction): StuckDelivery {
  const { problem, parkedAt } = delivery;
  const nextAt = parkedAt === null ? (stored.lanes.get(delivery.lane) ?? null) : null;
  return { ...delivery, reaction, problem: problem ?? '', nextAt };
}

export function createInMemoryReactions(state: State): ReactionRepository {
  const { reactions } = state;
  const heldBy = (name: ReactionName, holder: HolderId) => {
    const found = reactions.get(name);
    return found?.held?.by === holder ? found : undefined;
  };

  /** Changes a stuck delivery, and stores the event of the change. */
  function changeStuck(
    change: (stored: StoredReaction, delivery: StoredDelivery, now: Instant) => StoredReaction,
  ): ReactionRepository['skip'] {
    return async (name, id, now, audit) => {
      const stored = reactions.get(name);
      if (!stored) return NOT_FOUND;
      const delivery = stored.deliveries.find((each) => each.id === id && each.tries > 0);
      if (!delivery) return err({ code: 'delivery_not_found' });
      const event = audit(toStuck(name, delivery, stored));
      reactions.set(name, change(stored, delivery, now));
      state.events.push(event);
      return ok(undefined);
    };
  }

  return {
    async register(name, after) {
      if (reactions.has(name)) return;
      reactions.set(name, { position: after, held: undefined, lanes: new Map(), deliveries: [] });
    },
    async hold(name, holder, forMs) {
      const stored = reactions.get(name);
      if (!stored || (isHeld(stored) && stored.held?.by !== holder)) return undefined;
      reactions.set(name, { ...stored, held: { by: holder, until: performance.now() + forMs } });
      return stored.position;
    },
    async release(name, holder) {
      const stored = heldBy(name, holder);
      if (stored) reactions.set(name, { ...stored, held: undefined });
    },
    async advance(name, holder, { from, to, addressed, now }) {
      const stored = heldBy(name, holder);
      if (stored?.position !== from) return false;
      const placeOf = ({ lane, position }: (typeof addressed)[number]) => `${position} ${lane}`;
      const places = new Set(stored.deliveries.map(placeOf));
      const isNew = (each: (typeof addressed)[number]) => {
        const before = places.size;
        return places.add(placeOf(each)).size > before;
      };
      const added = addressed.filter(isNew).map((each) => ({
        ...each,
        id: state.nextId() as DeliveryId,
        tries: 0,
        problem: null,
        parkedAt: null,
      }));
      const lanes = new Map(stored.lanes);
      for (const { lane } of added) if (!lanes.has(lane)) lanes.set(lane, now);
      const deliveries = [...stored.deliveries, ...added].toSorted((a, b) => a.position - b.position);
      reactions.set(name, { ...stored, position: to, lanes, deliveries });
      return true;
    },
    async findDue(name, { now, lanes, each, except }) {
      const stored = reactions.get(name);
      if (!stored) return [];
      return [...stored.lanes]
        .filter(([lane, nextAt]) => nextAt <= now && !except.includes(lane))
        .toSorted(([, one], [, other]) => one - other)
        .slice(0, lanes)
        .map(([lane]) => ({
          lane,
          deliveries: waitingIn(stored, lane)
            .slice(0, each)
            .map(({ problem: _, parkedAt: _parked, ...delivery }) => delivery),
        }));
    },
    async settle(name, holder, { lane, done, failed }, now) {
      const stored = heldBy(name, holder);
      if (!stored) return false;
      const deliveries = stored.deliveries
        .filter(({ id }) => !done.includes(id))
        .map((each) => {
          if (each.id !== failed?.id || each.parkedAt !== null) return each;
          const { tries, problem, next } = failed;
          return { ...each, tries, problem, parkedAt: 'parkedAt' in next ? next.parkedAt : null };
        });
      const after = { ...stored, deliveries };
      const isFirst = waitingIn(after, lane)[0]?.id === failed?.id;
      const nextAt = isFirst && failed && 'retryAt' in failed.next ? failed.next.retryAt : now;
      reactions.set(name, withNext(after, lane, nextAt));
      return true;
    },
    async list() {
      return [...reactions]
        .map(([name, stored]) => stateOf(name, stored))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    async findStuck({ reaction, limit }) {
      const stored = reactions.get(reaction);
      if (!stored) return [];
      const stuck = stored.deliveries.filter(({ tries }) => tries > 0);
      const isParked = ({ parkedAt }: StoredDelivery) => parkedAt !== null;
      return [...stuck.filter(isParked), ...stuck.filter((each) => !isParked(each))]
        .slice(0, limit)
        .map((each) => toStuck(reaction, each, stored));
    },
    retry: changeStuck((stored, delivery, now) => {
      const again =
        delivery.parkedAt === null ? delivery : { ...delivery, tries: 0, problem: null, parkedAt: null };
      const deliveries = stored.deliveries.map((each) => (each.id === delivery.id ? again : each));
      return withNext({ ...stored, deliveries }, delivery.lane, now);
    }),
    skip: changeStuck((stored, delivery, now) => {
      const deliveries = stored.deliveries.filter(({ id }) => id !== delivery.id);
      const nextAt = delivery.parkedAt === null ? now : (stored.lanes.get(delivery.lane) ?? now);
      return withNext({ ...stored, deliveries }, delivery.lane, nextAt);
    }),
    async move(name, to, audit) {
      const stored = reactions.get(name);
      if (!stored) return NOT_FOUND;
      state.events.push(audit(stored.position));
      reactions.set(name, { ...stored, position: to });
      return ok(undefined);
    },
    async remove(name, audit) {
      const stored = reactions.get(name);
      if (!stored) return NOT_FOUND;
      state.events.push(audit(stateOf(name, stored)));
      reactions.delete(name);
      return ok(undefined);
    },
  };
}
