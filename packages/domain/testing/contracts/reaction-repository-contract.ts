import { describe, expect, test } from 'vitest';
import type { AuditPosition } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type {
  Addressed,
  DeliveryId,
  DueLane,
  HolderId,
  Lane,
  ReactionName,
  StuckDelivery,
} from '../../src/reactions/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { anEvent, aTokenId, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const A = 'a' as Lane;
const B = 'b' as Lane;
const [ME, OTHER] = [aTokenId(), aTokenId()] as string[] as [HolderId, HolderId];
const LATER = addMilliseconds(START, 1000);
const HOUR_MS = 3_600_000;
const NOT_FOUND = err({ code: 'reaction_not_found' });
const NO_DELIVERY = err({ code: 'delivery_not_found' });

const at = (position: number) => position as AuditPosition;
const addressed = (position: number, lane: Lane): Addressed => ({
  position: at(position),
  lane,
  event: anEvent({ at: addMilliseconds(START, position), details: { position } }),
});

let names = 0;

export function reactionRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of ReactionRepository`, () => {
    const store = openRepositories(open);
    const reactions = () => store().reactions;

    /** A reaction that this process holds, with these events in its lanes. */
    async function given(...events: readonly Addressed[]) {
      names += 1;
      const reaction = `reaction-${String(names).padStart(3, '0')}` as ReactionName;
      await reactions().register(reaction, 0);
      expect(await reactions().hold(reaction, ME, HOUR_MS)).toBe(0);
      if (events.length > 0) expect(await advance(reaction, 0, 100, events)).toBe(true);
      return reaction;
    }
    const advance = (
      reaction: ReactionName,
      from: number,
      to: number,
      events: readonly Addressed[],
      holder = ME,
    ) => reactions().advance(reaction, holder, { from: at(from), to: at(to), addressed: events, now: START });
    const due = (reaction: ReactionName, parts: Partial<Parameters<typeof query>[0]> = {}) =>
      reactions().findDue(reaction, query(parts));
    const query = ({ now = START, lanes = 9, each = 9, except = [] as readonly Lane[] }) => ({
      now,
      lanes,
      each,
      except,
    });
    const placesOf = (lanes: readonly DueLane[]) =>
      lanes.map(({ lane, deliveries }) => [lane, ...deliveries.map(({ position }) => position)]);
    const firstOf = async (reaction: ReactionName, lane = A) => {
      const found = (await due(reaction, { now: addMilliseconds(START, HOUR_MS) })).find(
        (each) => each.lane === lane,
      );
      return found?.deliveries[0]?.id ?? expect.fail();
    };
    const fail = async (reaction: ReactionName, parts: { readonly tries?: number } = {}, lane = A) => {
      const id = await firstOf(reaction, lane);
      const failed = { id, tries: 1, problem: 'no', next: { retryAt: LATER }, ...parts };
      expect(await reactions().settle(reaction, ME, { lane, done: [], failed }, START)).toBe(true);
      return id;
    };
    const park = async (reaction: ReactionName, lane = A) => {
      const id = await firstOf(reaction, lane);
      const failed = { id, tries: 20, problem: 'gone', next: { parkedAt: START } };
      expect(await reactions().settle(reaction, ME, { lane, done: [], failed }, START)).toBe(true);
      return id;
    };
    const stateOf = async (reaction: ReactionName) =>
      (await reactions().list()).find((each) => each.name === reaction);
    const stuckOf = (reaction: ReactionName, limit = 9) => reactions().findStuck({ reaction, limit });
    const eventOfStuck = ({ position, tries }: StuckDelivery) =>
      anEvent({ action: 'reaction.skipped', details: { position, tries } });

    test('a reaction begins where it was first registered', async () => {
      const reaction = `first-${aTokenId()}` as ReactionName;
      expect(await reactions().hold(reaction, ME, HOUR_MS)).toBeUndefined();
      await Promise.all([reactions().register(reaction, at(7)), reactions().register(reaction, at(7))]);
      await reactions().register(reaction, at(9));
      expect(await reactions().hold(reaction, ME, HOUR_MS)).toBe(7);
    });

    test('one process holds it, until it releases it or its time has passed', async () => {
      const reaction = await given();
      expect(await reactions().hold(reaction, OTHER, HOUR_MS)).toBeUndefined();
      expect(await reactions().hold(reaction, ME, HOUR_MS)).toBe(0);
      await reactions().release(reaction, OTHER);
      expect(await reactions().hold(reaction, OTHER, HOUR_MS)).toBeUndefined();
      await reactions().release(reaction, ME);
      expect((await stateOf(reaction))?.running).toBe(false);
      expect(await reactions().hold(reaction, OTHER, HOUR_MS)).toBe(0);
      expect((await stateOf(reaction))?.running).toBe(true);
      await reactions().hold(reaction, OTHER, 0);
      expect((await stateOf(reaction))?.running).toBe(false);
      expect(await reactions().hold(reaction, ME, HOUR_MS)).toBe(0);
    });

    test('it moves and fills lanes in one step, and only from the position where it is', async () => {
      const reaction = await given();
      const events = [addressed(3, A), addressed(1, A), addressed(2, B)];
      expect(await advance(reaction, 1, 3, events)).toBe(false);
      expect(await advance(reaction, 0, 3, events)).toBe(true);
      expect(await advance(reaction, 0, 3, events)).toBe(false);
      const lanes = await due(reaction);
      expect(placesOf(lanes)).toEqual([
        [A, 1, 3],
        [B, 2],
      ]);
      expect(lanes[1]?.deliveries).toEqual([{ ...events[2], id: expect.any(Number), tries: 0 }]);
      expect(lanes[1]?.deliveries[0]).toSatisfy(isDeeplyFrozen);
      expect(await stateOf(reaction)).toEqual({
        name: reaction,
        position: 3,
        waiting: 3,
        waitingSince: addMilliseconds(START, 1),
        failing: 0,
        parked: 0,
        running: true,
      });
    });

    test('a process that lost it to another one changes nothing', async () => {
      const reaction = await given(addressed(1, A));
      const id = await firstOf(reaction);
      await reactions().release(reaction, ME);
      await reactions().hold(reaction, OTHER, HOUR_MS);
      expect(await advance(reaction, 100, 101, [addressed(101, B)])).toBe(false);
      expect(await reactions().settle(reaction, ME, { lane: A, done: [id] }, START)).toBe(false);
      expect(placesOf(await due(reaction))).toEqual([[A, 1]]);
      expect((await stateOf(reaction))?.position).toBe(100);
    });

    test('an event is in a lane once, also if it is addressed again', async () => {
      const reaction = await given(addressed(1, A), addressed(2, B));
      await park(reaction, B);
      await reactions().move(reaction, 0, () => anEvent());
      const again = [addressed(1, A), addressed(1, A), addressed(2, B), addressed(2, A)];
      expect(await advance(reaction, 0, 2, again)).toBe(true);
      expect(placesOf(await due(reaction))).toEqual([[A, 1, 2]]);
      expect(await stateOf(reaction)).toMatchObject({ waiting: 2, parked: 1 });
    });

    test('lanes are due at their times: so many of them, with so many events, and not those that are excepted', async () => {
      const reaction = await given(addressed(1, A), addressed(2, A), addressed(3, B));
      expect(placesOf(await due(reaction, { each: 1 }))).toEqual([
        [A, 1],
        [B, 3],
      ]);
      expect(placesOf(await due(reaction, { lanes: 1 }))).toEqual([[A, 1, 2]]);
      expect(placesOf(await due(reaction, { except: [A] }))).toEqual([[B, 3]]);
      expect(await due(reaction, { now: addMilliseconds(START, -1) })).toEqual([]);
      await fail(reaction);
      expect(placesOf(await due(reaction))).toEqual([[B, 3]]);
      // The lane that waited longer comes first.
      expect(placesOf(await due(reaction, { now: LATER, each: 1 }))).toEqual([
        [B, 3],
        [A, 1],
      ]);
      expect((await due(reaction, { now: LATER }))[1]?.deliveries.map(({ tries }) => tries)).toEqual([1, 0]);
    });

    test('what is done leaves its lane, and the next event is due at once', async () => {
      const reaction = await given(addressed(1, A), addressed(2, A), addressed(3, A));
      const [lane] = await due(reaction);
      const [first, second] = lane?.deliveries.map(({ id }) => id) ?? [];
      const done = [first ?? expect.fail()];
      const failed = { id: second ?? expect.fail(), tries: 1, problem: 'no', next: { retryAt: LATER } };
      expect(await reactions().settle(reaction, ME, { lane: A, done, failed }, START)).toBe(true);
      expect(await due(reaction)).toEqual([]);
      expect(placesOf(await due(reaction, { now: LATER }))).toEqual([[A, 2, 3]]);
      await reactions().settle(reaction, ME, { lane: A, done: [failed.id] }, START);
      expect(placesOf(await due(reaction))).toEqual([[A, 3]]);
      await reactions().settle(reaction, ME, { lane: A, done: [await firstOf(reaction)] }, START);
      expect(await due(reaction, { now: LATER })).toEqual([]);
      expect(await stateOf(reaction)).toMatchObject({ waiting: 0, waitingSince: null });
    });

    test('a parked event lets the next one of its lane pass, and both are shown', async () => {
      const reaction = await given(addressed(1, A), addressed(2, A), addressed(3, B));
      await fail(reaction, {}, B);
      await park(reaction);
      expect(placesOf(await due(reaction))).toEqual([[A, 2]]);
      expect(await stateOf(reaction)).toMatchObject({ waiting: 2, failing: 1, parked: 1 });
      const stuck = await stuckOf(reaction);
      expect(stuck).toEqual([
        {
          ...addressed(1, A),
          reaction,
          tries: 20,
          problem: 'gone',
          nextAt: null,
          parkedAt: START,
          id: expect.any(Number),
        },
        {
          ...addressed(3, B),
          reaction,
          tries: 1,
          problem: 'no',
          nextAt: LATER,
          parkedAt: null,
          id: expect.any(Number),
        },
      ]);
      expect(stuck[0]).toSatisfy(isDeeplyFrozen);
      expect(await stuckOf(reaction, 1)).toEqual([stuck[0]]);
    });

    test('a retry lets a parked event wait in front of later ones again, with all tries', async () => {
      const reaction = await given(addressed(1, A), addressed(2, A));
      const id = await park(reaction);
      await fail(reaction);
      expect(await reactions().retry(reaction, id, START, eventOfStuck)).toEqual(ok(undefined));
      expect(await newestEvent(store())).toEqual(
        anEvent({ action: 'reaction.skipped', details: { position: 1, tries: 20 } }),
      );
      const [lane] = await due(reaction);
      expect(lane?.deliveries.map(({ position, tries }) => [position, tries])).toEqual([
        [1, 0],
        [2, 1],
      ]);
      expect(await reactions().retry(reaction, id, START, eventOfStuck)).toEqual(NO_DELIVERY);
    });

    test('a retry tries a failed event at once, and its tries count on', async () => {
      const reaction = await given(addressed(1, A));
      const id = await fail(reaction, { tries: 3 });
      expect(await reactions().retry(reaction, id, START, eventOfStuck)).toEqual(ok(undefined));
      expect((await due(reaction))[0]?.deliveries).toMatchObject([{ position: 1, tries: 3 }]);
    });

    test('a retry of the only event of a lane makes the lane due', async () => {
      const reaction = await given(addressed(1, A));
      const id = await park(reaction);
      expect(await due(reaction, { now: LATER })).toEqual([]);
      await reactions().retry(reaction, id, START, eventOfStuck);
      expect(placesOf(await due(reaction))).toEqual([[A, 1]]);
    });

    test('a skipped event is gone: a failed one lets the next one pass, a parked one changes no lane', async () => {
      const reaction = await given(addressed(1, A), addressed(2, A), addressed(3, A));
      const parked = await park(reaction);
      const failed = await fail(reaction);
      expect(await reactions().skip(reaction, parked, START, eventOfStuck)).toEqual(ok(undefined));
      expect(await newestEvent(store())).toMatchObject({ details: { position: 1, tries: 20 } });
      expect(await due(reaction)).toEqual([]);
      expect(await reactions().skip(reaction, failed, START, eventOfStuck)).toEqual(ok(undefined));
      expect(placesOf(await due(reaction))).toEqual([[A, 3]]);
      expect(await stuckOf(reaction)).toEqual([]);
      // The outcome of a try that was under way says nothing about the next event.
      const late = { id: failed, tries: 2, problem: 'late', next: { retryAt: LATER } };
      expect(await reactions().settle(reaction, ME, { lane: A, done: [], failed: late }, START)).toBe(true);
      expect((await due(reaction))[0]?.deliveries).toMatchObject([{ position: 3, tries: 0 }]);
    });

    test('what is not stuck is not skipped, nor is anything of another reaction', async () => {
      const reaction = await given(addressed(1, A));
      const id = await firstOf(reaction);
      expect(await reactions().skip(reaction, id, START, eventOfStuck)).toEqual(NO_DELIVERY);
      const another = await given(addressed(1, A));
      const failed = await fail(another);
      expect(await reactions().skip(reaction, failed, START, eventOfStuck)).toEqual(NO_DELIVERY);
      expect(await reactions().retry('none' as ReactionName, failed, START, eventOfStuck)).toEqual(NOT_FOUND);
      expect(await reactions().skip('none' as ReactionName, 1 as DeliveryId, START, eventOfStuck)).toEqual(
        NOT_FOUND,
      );
      expect(placesOf(await due(reaction))).toEqual([[A, 1]]);
    });

    test('it is moved by an operator, and its lanes stay', async () => {
      const reaction = await given(addressed(1, A));
      const moved = await reactions().move(reaction, at(40), (from) =>
        anEvent({ action: 'reaction.moved', details: { from } }),
      );
      expect(moved).toEqual(ok(undefined));
      expect(await newestEvent(store())).toMatchObject({ action: 'reaction.moved', details: { from: 100 } });
      expect(await stateOf(reaction)).toMatchObject({ position: 40, waiting: 1 });
      expect(await advance(reaction, 100, 101, [])).toBe(false);
      expect(await reactions().move('none' as ReactionName, 0, () => anEvent())).toEqual(NOT_FOUND);
    });

    test('it is removed with its lanes, and may be registered anew', async () => {
      const reaction = await given(addressed(1, A));
      const removed = await reactions().remove(reaction, ({ position, waiting }) =>
        anEvent({ action: 'reaction.removed', details: { position, waiting } }),
      );
      expect(removed).toEqual(ok(undefined));
      expect(await newestEvent(store())).toMatchObject({ details: { position: 100, waiting: 1 } });
      expect(await stateOf(reaction)).toBeUndefined();
      expect(await advance(reaction, 100, 101, [])).toBe(false);
      expect(await reactions().remove(reaction, () => anEvent())).toEqual(NOT_FOUND);
      await reactions().register(reaction, at(5));
      expect(await stateOf(reaction)).toMatchObject({ position: 5, waiting: 0 });
    });

    test('reactions are listed by name', async () => {
      await given();
      const listed = (await reactions().list()).map((each) => each.name);
      expect(listed).toEqual(listed.toSorted());
    });
  });
}
