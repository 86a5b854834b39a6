import { beforeEach, expect, test } from 'vitest';
import { anEvent, createWorld, START, type World } from '../../testing/index.ts';
import type { AuditPosition } from '../audit/index.ts';
import { addMilliseconds } from '../time/index.ts';
import { deliverLane, pauseAfter } from './deliver.ts';
import {
  type Delivery,
  type Handled,
  type Lane,
  type Reaction,
  type ReactionName,
  USUAL_PLAN,
} from './reaction.ts';
import type { HolderId } from './reaction-repository.ts';

const NAME = 'mail' as ReactionName;
const LANE = 'user 1' as Lane;
const HOLDER = '01890000-0000-7000-8000-000000000001' as HolderId;
const DONE: Handled = { kind: 'done' };

let world: World;
let tried: (readonly [position: number, outcome: string, problem?: string])[];
beforeEach(async () => {
  world = await createWorld();
  tried = [];
});

/** The events 1, 2 and so on wait in a lane. */
async function given(count: number): Promise<void> {
  await world.reactions.register(NAME, 0);
  await world.reactions.hold(NAME, HOLDER, 60_000);
  const addressed = Array.from({ length: count }, (_, index) => ({
    position: (index + 1) as AuditPosition,
    lane: LANE,
    event: anEvent(),
  }));
  const step = { from: 0, to: count as AuditPosition, addressed, now: world.clock.now() } as const;
  expect(await world.reactions.advance(NAME, HOLDER, step)).toBe(true);
}

function reactionOf(handle: (delivery: Delivery) => Promise<Handled>, plan: Partial<Reaction['plan']> = {}) {
  return {
    name: NAME,
    on: 'all',
    plan: { ...USUAL_PLAN, ...plan },
    address: async () => [],
    handle,
  } as const;
}

const findDue = async (now = world.clock.now()) =>
  (await world.reactions.findDue(NAME, { now, lanes: 1, each: 9, except: [] }))[0];

async function deliver(
  handle: (delivery: Delivery) => Promise<Handled>,
  {
    mayGoOn = () => true,
    isLate = false,
    ...plan
  }: { mayGoOn?: () => boolean; isLate?: boolean } & Partial<Reaction['plan']> = {},
): Promise<void> {
  const due = (await findDue(addMilliseconds(START, 1e9))) ?? expect.fail();
  const ports = {
    ...world,
    within: <T>(milliseconds: number, work: Promise<T>) => {
      return isLate ? Promise.reject(new Error(`no answer within ${milliseconds} ms`)) : work;
    },
    random: () => 0.5,
    onTried: ({ position }: Delivery, outcome: string, problem?: string) =>
      tried.push(problem === undefined ? [position, outcome] : [position, outcome, problem]),
  };
  await deliverLane(ports, reactionOf(handle, plan), { holder: HOLDER, due, mayGoOn });
}

const failAt =
  (position: number, failed: Handled = { kind: 'failed', problem: 'no' }) =>
  async (delivery: Delivery) =>
    delivery.position === position ? failed : DONE;

test('the events of a lane are handled in order, and leave it', async () => {
  await given(3);
  await deliver(async () => DONE);
  expect(tried).toEqual([
    [1, 'done'],
    [2, 'done'],
    [3, 'done'],
  ]);
  expect(await findDue()).toBeUndefined();
});

test('the first one that fails stops the lane, and is tried again after a pause', async () => {
  await given(3);
  await deliver(failAt(2));
  expect(tried).toEqual([
    [1, 'done'],
    [2, 'failed', 'no'],
  ]);
  expect(await findDue(addMilliseconds(START, 999))).toBeUndefined();
  expect((await findDue(addMilliseconds(START, 1000)))?.deliveries).toMatchObject([
    { position: 2, tries: 1 },
    { position: 3, tries: 0 },
  ]);
});

test('a handler may ask for a longer pause, and gets no shorter one', async () => {
  await given(1);
  await deliver(failAt(1, { kind: 'failed', problem: 'busy', retryAfterMs: 90_000 }));
  expect(await findDue(addMilliseconds(START, 89_999))).toBeUndefined();
  expect(await findDue(addMilliseconds(START, 90_000))).toBeDefined();
  await deliver(failAt(1, { kind: 'failed', problem: 'busy', retryAfterMs: 1 }));
  expect(await findDue(addMilliseconds(START, 1999))).toBeUndefined();
});

test('pauses double up to the longest one, a fifth longer or shorter', () => {
  const pauses = (random: number) =>
    [1, 2, 3, 12, 13, 20].map((tries) => pauseAfter(tries, USUAL_PLAN, random));
  expect(pauses(0.5)).toEqual([1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000]);
  expect(pauses(0)[0]).toBeCloseTo(800);
  expect(pauses(1)[5]).toBeCloseTo(4_320_000);
});

test('after its last try an event is parked, and the next one is due', async () => {
  await given(2);
  await deliver(failAt(1), { tries: 2 });
  await deliver(failAt(1), { tries: 2 });
  expect(tried).toEqual([
    [1, 'failed', 'no'],
    [1, 'parked', 'no'],
  ]);
  expect((await findDue())?.deliveries).toMatchObject([{ position: 2 }]);
  const stuck = await world.reactions.findStuck({ reaction: NAME, limit: 9 });
  expect(stuck).toMatchObject([{ position: 1, tries: 2, problem: 'no', parkedAt: START }]);
});

test('a dropped event leaves its lane like one that is done', async () => {
  await given(2);
  await deliver(failAt(1, { kind: 'dropped', problem: 'the receiver is gone' }));
  expect(tried).toEqual([
    [1, 'dropped', 'the receiver is gone'],
    [2, 'done'],
  ]);
  expect(await findDue()).toBeUndefined();
});

test('a handler that throws has failed, and what it says is stored without invisible characters', async () => {
  await given(1);
  await deliver(async () => {
    throw new Error(`a\u0000b${'c'.repeat(600)}`);
  });
  const [stuck] = await world.reactions.findStuck({ reaction: NAME, limit: 1 });
  expect(stuck?.problem).toBe(`a\ufffdb${'c'.repeat(497)}`);
});

test('a handler that does not end in time has failed', async () => {
  await given(1);
  await deliver(() => new Promise(() => undefined), { isLate: true, deadlineMs: 70 });
  expect(tried).toEqual([[1, 'failed', 'no answer within 70 ms']]);
});

test('no event is begun once the process may not go on, and what was done is stored', async () => {
  await given(3);
  let left = 2;
  await deliver(async () => DONE, {
    mayGoOn: () => {
      left -= 1;
      return left >= 0;
    },
  });
  expect(tried).toHaveLength(2);
  expect((await findDue())?.deliveries).toMatchObject([{ position: 3 }]);
});

test('a slow lane stores what is done every second, and ends when another process took the reaction', async () => {
  await given(4);
  await deliver(async ({ position }) => {
    world.clock.advance(1000);
    if (position === 2) {
      await world.reactions.release(NAME, HOLDER);
      await world.reactions.hold(NAME, '01890000-0000-7000-8000-000000000002' as HolderId, 60_000);
    }
    return DONE;
  });
  expect(tried).toHaveLength(2);
  expect((await findDue())?.deliveries).toMatchObject([{ position: 2 }, { position: 3 }, { position: 4 }]);
});

test('a slow lane begins no other event after five seconds, so that lanes that wait go first', async () => {
  await given(4);
  await deliver(async () => {
    world.clock.advance(2500);
    return DONE;
  });
  expect(tried).toHaveLength(2);
  expect(await findDue()).toMatchObject({ deliveries: [{ position: 3, tries: 0 }, { position: 4 }] });
});

test.each<[string, unknown, string]>([
  ['no object', undefined, 'undefined'],
  ['an object that has no text', Object.create(null), 'the problem has no text'],
  [
    'an error whose message is an object',
    Object.assign(new Error(), { message: { code: 5 } }),
    '[object Object]',
  ],
  ['a secret', new Error('refused: v4.public.eyJpc3MiOiJnYX'), 'the problem contained a token or a code'],
])('a handler that throws %s has failed like any other, and is parked in the end', async (...params) => {
  const [, thrown, problem] = params;
  await given(2);
  await deliver(() => Promise.reject(thrown), { tries: 1 });
  expect(tried).toEqual([[1, 'parked', problem]]);
  expect((await findDue())?.deliveries.map(({ position }) => position)).toEqual([2]);
});
