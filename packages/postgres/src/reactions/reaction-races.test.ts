import type { AuditPosition } from '@gatehouse/domain/audit';
import type {
  DeliveryId,
  HolderId,
  Lane,
  ReactionName,
  ReactionRepository,
} from '@gatehouse/domain/reactions';
import { anEvent, aTokenId, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { afterAll, describe, expect, test } from 'vitest';
import { connectClient } from '../../testing/open-test-store.ts';
import { type Hold, openStage, type Part } from '../../testing/stage.ts';
import { untilSomeoneWaits } from '../../testing/until-someone-waits.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresReactionRepository } from './reaction-repository.ts';

type Make = (database: Database) => ReactionRepository;

const unlocked: Make = (database) => createPostgresReactionRepository(withoutLocks(database));
const LANE = 'user 1' as Lane;
const [ME, OTHER] = [aTokenId(), aTokenId()] as string[] as [HolderId, HolderId];
const LATER = addMilliseconds(START, 1000);
const DONE = { ok: true, value: undefined };
const ORDERS = ['one', 'other'] as const;

describe('a reaction on two servers', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const { reactions } = stage.store;

  /** A reaction that no process holds any longer, with the events 1 to `count` in a lane. */
  async function given(count: number) {
    const name = `race-${aTokenId()}` as ReactionName;
    await reactions.register(name, 0);
    await reactions.hold(name, ME, 0);
    const addressed = Array.from({ length: count }, (_, index) => ({
      position: (index + 1) as AuditPosition,
      lane: LANE,
      event: anEvent(),
    }));
    const step = { from: 0, to: count as AuditPosition, addressed, now: START } as const;
    if (count > 0) expect(await reactions.advance(name, ME, step)).toBe(true);
    const [due] = await findDue(name);
    return { name, ids: due?.deliveries.map(({ id }) => id) ?? [] };
  }
  const findDue = (name: ReactionName, from = reactions) =>
    from.findDue(name, { now: START, lanes: 9, each: 9, except: [] });
  const positionsDue = async (name: ReactionName) =>
    (await findDue(name)).flatMap(({ deliveries }) => deliveries.map(({ position }) => position));
  const failure = (id: DeliveryId, next: { retryAt: typeof LATER } | { parkedAt: typeof START }) => ({
    id,
    tries: 1,
    problem: 'no',
    next,
  });
  const atDelivery = (id = 0 as DeliveryId): Hold => ({ at: 'row', table: 'reaction_deliveries', id });
  const settle =
    (
      name: ReactionName,
      outcome: Omit<Parameters<ReactionRepository['settle']>[2], 'lane'>,
      make: Make = createPostgresReactionRepository,
    ): Part<boolean> =>
    ({ database }) =>
      make(database).settle(name, ME, { lane: LANE, ...outcome }, START);

  test.each(ORDERS)('fills its lanes for one process: the one that holds it (%s first)', async (first) => {
    const { name } = await given(0);
    const addressed = [{ position: 1 as AuditPosition, lane: LANE, event: anEvent() }];
    const advance: Part<boolean> = ({ store }) =>
      store.reactions.advance(name, ME, { from: 0, to: 1 as AuditPosition, addressed, now: START });
    const take: Part<unknown> = ({ store }) => store.reactions.hold(name, OTHER, 60_000);
    const [advanced, position] = await stage.race(
      advance,
      take,
      { at: 'row', table: 'reactions', id: name },
      first,
    );
    expect([advanced, position]).toEqual(first === 'one' ? [true, 1] : [false, 0]);
    expect(await positionsDue(name)).toEqual(advanced ? [1] : []);
  });

  /** A process settles what another one, which takes the reaction meanwhile, would find. */
  async function takeWhileSettling(make: Make) {
    const { name, ids } = await given(1);
    const take: Part<number> = async ({ store }) => {
      await store.reactions.hold(name, OTHER, 60_000);
      return (await findDue(name, store.reactions)).length;
    };
    return stage.race(settle(name, { done: ids }, make), take, atDelivery(ids[0]));
  }

  test('is taken only after what was handled is stored, and too early without the lock', async () => {
    expect(await takeWhileSettling(createPostgresReactionRepository)).toEqual([true, 0]);
    expect(await takeWhileSettling(unlocked)).toEqual([true, 1]);
  });

  test.each(ORDERS)('lets the next event pass if one is skipped while it fails (%s first)', async (first) => {
    const { name, ids } = await given(2);
    const [id = 0 as DeliveryId] = ids;
    const failed = failure(id, { retryAt: LATER });
    await reactions.settle(name, ME, { lane: LANE, done: [], failed }, START);
    const skip: Part<unknown> = ({ store, event }) => store.reactions.skip(name, id, START, () => event());
    const fails = settle(name, { done: [], failed: { ...failed, tries: 2 } });
    expect(await stage.race(fails, skip, atDelivery(id), first)).toEqual([true, DONE]);
    expect(await positionsDue(name)).toEqual([2]);
  });

  test.each(ORDERS)(
    'keeps an event that is tried again while its lane becomes empty (%s first)',
    async (first) => {
      const { name, ids } = await given(2);
      const [parked = 0 as DeliveryId, last = 0 as DeliveryId] = ids;
      await reactions.settle(
        name,
        ME,
        { lane: LANE, done: [], failed: failure(parked, { parkedAt: START }) },
        START,
      );
      const retry: Part<unknown> = ({ store, event }) =>
        store.reactions.retry(name, parked, START, () => event());
      const hold: Hold = { at: 'row', table: 'reactions', id: name };
      expect(await stage.race(settle(name, { done: [last] }), retry, hold, first)).toEqual([true, DONE]);
      expect(await positionsDue(name)).toEqual([1]);
    },
  );

  test('registers once, if two processes do it at once', async () => {
    const client = await connectClient(stage.url);
    const name = 'registered-twice' as ReactionName;
    await client.query('begin');
    await client.query('insert into reactions (name, position) values ($1, 7)', [name]);
    const registering = reactions.register(name, 9 as AuditPosition);
    await untilSomeoneWaits(stage.database);
    await client.query('commit');
    await registering;
    expect(await reactions.hold(name, ME, 60_000)).toBe(7);
  });
});
