import { describe, expect, test } from 'vitest';
import type { AuditPosition } from '../../src/audit/index.ts';
import type { SealedEvent } from '../../src/reactions/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, givenAdmin, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const HOUR = 3_600_000;
const after = (milliseconds: number): Instant => addMilliseconds(START, milliseconds);

export function heldNoticesContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of HeldNotices`, () => {
    const store = openRepositories(open);
    const notice = (position: number): SealedEvent => ({
      position: position as AuditPosition,
      event: anEvent({ action: 'token.unused', details: { name: `token ${position}` } }),
    });
    const admit = ({ id }: User, position: number, now = START) =>
      store().heldNotices.admit(id, notice(position), { now, limit: 2, windowMs: HOUR });
    const take = async ({ id }: User, now: Instant, each = 100) => {
      const heldBefore = addMilliseconds(now, -HOUR);
      const until = addMilliseconds(now, 60_000);
      const due = await store().heldNotices.takeDue({ now, heldBefore, until, limit: 1000, each });
      expect(due).toSatisfy(isDeeplyFrozen);
      return due.find(({ userId }) => userId === id);
    };

    test('events beyond the limit of a window are held, each person for itself', async () => {
      const [ada, eve] = [await givenAdmin(store()), await givenAdmin(store())];
      expect([await admit(ada, 1), await admit(ada, 2), await admit(ada, 3)]).toEqual([
        'send',
        'send',
        'held',
      ]);
      expect(await admit(eve, 3)).toBe('send');
    });

    test('an event gets the same answer again and counts once', async () => {
      const ada = await givenAdmin(store());
      const first = [await admit(ada, 1), await admit(ada, 1), await admit(ada, 2), await admit(ada, 3)];
      expect(first).toEqual(['send', 'send', 'send', 'held']);
      expect([await admit(ada, 1), await admit(ada, 3)]).toEqual(['send', 'held']);
      expect((await take(ada, after(HOUR)))?.notices).toEqual([notice(3)]);
    });

    test('the window moves, but nothing overtakes an event that waits', async () => {
      const [ada, eve] = [await givenAdmin(store()), await givenAdmin(store())];
      for (const position of [1, 2]) await admit(eve, position);
      expect(await admit(eve, 3, after(HOUR - 1))).toBe('held');
      for (const position of [1, 2]) await admit(ada, position);
      expect(await admit(ada, 3, after(HOUR))).toBe('send');
      expect(await admit(eve, 4, after(2 * HOUR))).toBe('held');
    });

    test('held events are due together once the first one waits long enough, and are taken by one', async () => {
      const ada = await givenAdmin(store());
      for (const position of [1, 2, 4, 3]) await admit(ada, position);
      await admit(ada, 5, after(HOUR - 2));
      expect(await take(ada, after(HOUR - 1))).toBeUndefined();
      const due = await take(ada, after(HOUR));
      expect(due).toEqual({ userId: ada.id, notices: [notice(3), notice(4), notice(5)] });
      expect(await take(ada, after(HOUR + 59_999))).toBeUndefined();
      expect(await take(ada, after(HOUR + 60_000))).toEqual(due);
    });

    test('events of which the person was told are gone, and the others stay', async () => {
      const ada = await givenAdmin(store());
      for (const position of [1, 2, 3, 4, 5]) await admit(ada, position);
      const some = await take(ada, after(HOUR), 2);
      expect(some?.notices).toEqual([notice(3), notice(4)]);
      if (some) await store().heldNotices.settle(some);
      expect((await take(ada, after(2 * HOUR)))?.notices).toEqual([notice(5)]);
    });

    test('records of sent messages are forgotten up to a limit, and held ones stay', async () => {
      const ada = await givenAdmin(store());
      const forget = (sentBefore: Instant, limit = 1000) => store().heldNotices.forget({ sentBefore, limit });
      while ((await forget(after(10 * HOUR))) === 1000);
      for (const position of [1, 2, 3]) await admit(ada, position);
      expect(await forget(START)).toBe(0);
      expect([await forget(after(1), 1), await forget(after(1)), await forget(after(1))]).toEqual([1, 1, 0]);
      expect((await take(ada, after(HOUR)))?.notices).toEqual([notice(3)]);
    });
  });
}
