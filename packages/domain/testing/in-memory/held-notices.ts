import type { HeldNotices } from '../../src/mail/index.ts';
import type { SealedEvent } from '../../src/reactions/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { UserId } from '../../src/users/index.ts';
import type { State } from './state.ts';

/** An event about which a person got a message, or will get one. */
export interface StoredNotice extends SealedEvent {
  readonly userId: UserId;
  readonly at: Instant;
  readonly isHeld: boolean;
  readonly takenUntil: Instant | null;
}

export function createInMemoryHeldNotices({ notices }: State): HeldNotices {
  const of = (userId: UserId) => [...notices.values()].filter((each) => each.userId === userId);
  return {
    async admit(userId, notice, { now, limit, windowMs }) {
      const key = `${userId} ${notice.position}` as const;
      const known = notices.get(key);
      if (known) return known.isHeld ? 'held' : 'send';
      const own = of(userId);
      const recent = own.filter(({ isHeld, at }) => !isHeld && addMilliseconds(at, windowMs) > now);
      const isHeld = recent.length >= limit || own.some((each) => each.isHeld);
      notices.set(key, { ...notice, userId, at: now, isHeld, takenUntil: null });
      return isHeld ? 'held' : 'send';
    },
    async takeDue({ now, heldBefore, until, limit, each }) {
      const held = [...notices.values()].filter(({ isHeld }) => isHeld);
      const isDue = (userId: UserId) => {
        const own = held.filter((one) => one.userId === userId);
        return (
          own.some(({ at }) => at <= heldBefore) &&
          own.every(({ takenUntil }) => takenUntil === null || takenUntil <= now)
        );
      };
      const users = [...new Set(held.map(({ userId }) => userId))].filter(isDue).slice(0, limit);
      return users.map((userId) => {
        const taken = held
          .filter((one) => one.userId === userId)
          .toSorted((one, other) => one.position - other.position)
          .slice(0, each);
        for (const one of taken) notices.set(`${userId} ${one.position}`, { ...one, takenUntil: until });
        return { userId, notices: taken.map(({ position, event }) => ({ position, event })) };
      });
    },
    async settle({ userId, notices: told }) {
      for (const { position } of told) notices.delete(`${userId} ${position}`);
    },
    async forget({ sentBefore, limit }) {
      const old = [...notices].filter(([, { isHeld, at }]) => !isHeld && at < sentBefore).slice(0, limit);
      for (const [key] of old) notices.delete(key);
      return old.length;
    },
  };
}
