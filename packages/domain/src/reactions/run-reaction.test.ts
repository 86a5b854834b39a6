import { beforeEach, expect, test } from 'vitest';
import { anEvent, createWorld, givenEvents, OPERATOR, unwrap, type World } from '../../testing/index.ts';
import { type AuditAction, type AuditPosition, pruneAuditEvents, sealAuditEvents } from '../audit/index.ts';
import {
  type Handled,
  type Lane,
  type Reaction,
  type ReactionName,
  type SealedEvent,
  USUAL_PLAN,
} from './reaction.ts';
import type { HolderId } from './reaction-repository.ts';
import { LEASE_MS, registerReaction, runReaction } from './run-reaction.ts';

const NAME = 'mail' as ReactionName;
const [ME, OTHER] = ['1', '2'].map((id) => `01890000-0000-7000-8000-00000000000${id}`) as [
  HolderId,
  HolderId,
];
const DONE: Handled = { kind: 'done' };

let world: World;
let handled: number[];
let faults: unknown[];
let elapsedMs: number;
beforeEach(async () => {
  world = await createWorld();
  handled = [];
  faults = [];
  elapsedMs = 0;
  await sealAll();
  await registerReaction(world, { name: NAME });
});

async function sealAll(): Promise<void> {
  while (unwrap(await sealAuditEvents(world)()).more);
}

/** Writes events and seals them. Returns the position of the last one. */
async function given(count: number): Promise<number> {
  await givenEvents(world, count);
  await sealAll();
  return (await world.auditSeals.findLast())?.last ?? 0;
}

const oneLaneEach: Reaction['address'] = async (events) =>
  events.map((each) => ({ ...each, lane: String(each.position) as Lane }));
const oneLane: Reaction['address'] = async (events) =>
  events.map((each) => ({ ...each, lane: 'one' as Lane }));

function run(parts: Partial<Reaction> = {}, holder = ME, store = world) {
  return runReaction(
    {
      ...store,
      monotonicClock: { elapsedMs: () => elapsedMs },
      within: (_, work) => work,
      random: () => 0.5,
      onTried: () => undefined,
      onFault: (error) => faults.push(error),
      wake: () => undefined,
    },
    {
      name: NAME,
      on: 'all',
      plan: USUAL_PLAN,
      address: oneLane,
      handle: async ({ position }) => {
        handled.push(position);
        return DONE;
      },
      ...parts,
    },
    holder,
  );
}

/** Steps until nothing is to do, and waits for the handlers. */
async function runOut(running: ReturnType<typeof run>): Promise<void> {
  const isDue = async () => {
    const query = { now: world.clock.now(), lanes: 1, each: 1, except: [] };
    return (await world.reactions.findDue(NAME, query)).length > 0;
  };
  while ((await running.step()) === 'busy' || (await isDue())) await new Promise(setImmediate);
}
const upTo = (last: number, count: number) =>
  Array.from({ length: count }, (_, index) => last - count + 1 + index);

test('a new reaction begins with the events that are sealed after its registration', async () => {
  await givenEvents(world, 2);
  const last = await given(3);
  await runOut(run());
  expect(handled).toEqual(upTo(last, 5));
});

test('events of several seals are handled in order, each once', async () => {
  const last = await given(1203);
  const running = run();
  await runOut(running);
  expect(handled).toEqual(upTo(last, 1203));
  await runOut(running);
  expect(handled).toHaveLength(1203);
});

test('events that are not sealed, and actions that it does not want, reach no handler', async () => {
  const asked: AuditAction[] = [];
  const address = async (events: readonly SealedEvent[]) => {
    asked.push(...events.map(({ event }) => event.action));
    return oneLane(events);
  };
  const last = await given(2);
  await givenEvents(world, 1);
  await runOut(run({ on: ['user.created'], address }));
  expect([asked, handled]).toEqual([[], []]);
  expect((await world.reactions.list())[0]).toMatchObject({ position: last, waiting: 0 });
  await sealAll();
  await runOut(run({ on: ['account.created'], address }));
  expect(asked).toEqual(['account.created']);
  expect(handled).toEqual([last + 1]);
});

test('a lane that hangs delays no other one, and no more lanes are handled than the plan allows', async () => {
  const last = await given(5);
  const hanging = Promise.withResolvers<Handled>();
  let [active, most] = [0, 0];
  const handle: Reaction['handle'] = async ({ position }) => {
    active += 1;
    most = Math.max(most, active);
    await new Promise(setImmediate);
    if (position === last - 4) await hanging.promise;
    active -= 1;
    handled.push(position);
    return DONE;
  };
  const running = run({ address: oneLaneEach, plan: { ...USUAL_PLAN, concurrency: 2 }, handle });
  for (let step = 0; step < 20; step += 1) {
    await running.step();
    await new Promise(setImmediate);
  }
  expect([handled, most]).toEqual([upTo(last, 4), 2]);
  hanging.resolve(DONE);
  await running.stop();
  expect(handled).toContain(last - 4);
});

test('while one process runs it, another does nothing; then it goes on where the first one stopped', async () => {
  const [first, second] = [run(), run({}, OTHER)];
  const last = await given(1);
  await runOut(first);
  await given(1);
  expect(await second.step()).toBe('not_held');
  await first.stop();
  await first.release();
  await runOut(second);
  expect(handled).toEqual([last, last + 1]);
});

test('a process that was paused for longer than it holds the reaction begins no event', async () => {
  const gate = Promise.withResolvers<Handled>();
  const last = await given(3);
  const handle: Reaction['handle'] = ({ position }) => {
    handled.push(position);
    return position === last - 2 ? gate.promise : Promise.resolve(DONE);
  };
  const running = run({ handle });
  await running.step();
  await running.step();
  expect(handled).toEqual([last - 2]);
  elapsedMs = LEASE_MS;
  gate.resolve(DONE);
  await new Promise(setImmediate);
  expect(handled).toEqual([last - 2]);
  // It still holds the reaction, and goes on.
  await runOut(running);
  expect(handled).toEqual(upTo(last, 3));
});

test('the reaction is taken for longer before the time ends, and not at each step', async () => {
  let held = 0;
  const { hold } = world.reactions;
  const reactions: World['reactions'] = {
    ...world.reactions,
    hold: (...given) => {
      held += 1;
      return hold(...given);
    },
  };
  const running = run({}, ME, { ...world, reactions });
  for (let step = 0; step < 61; step += 1) {
    elapsedMs = step * 1000;
    await running.step();
  }
  expect(held).toBe(7);
});

test('if choosing the lanes fails, the same events are addressed again, and lanes are still handled', async () => {
  const last = await given(1);
  const running = run();
  await running.step();
  await given(1);
  const broken = run({ address: () => Promise.reject(new Error('no database')) });
  await expect(broken.step()).rejects.toThrow('no database');
  await new Promise(setImmediate);
  expect(handled).toEqual([last]);
  await runOut(run());
  expect(handled).toEqual([last, last + 1]);
});

test('what is handled but cannot be stored is handled again', async () => {
  const last = await given(1);
  let fails = true;
  const reactions: World['reactions'] = {
    ...world.reactions,
    settle: (...given) => {
      if (!fails) return world.reactions.settle(...given);
      fails = false;
      return Promise.reject(new Error('no database'));
    },
  };
  await runOut(run({}, ME, { ...world, reactions }));
  expect(handled).toEqual([last, last]);
  expect(faults).toMatchObject([{ message: 'no database' }]);
});

test('a reaction that an operator moves goes on from there', async () => {
  const last = await given(3);
  const running = run();
  await runOut(running);
  await world.reactions.move(NAME, (last - 1) as AuditPosition, () => anEvent());
  // The move is noticed when the reaction is taken for longer.
  elapsedMs += 10_000;
  await runOut(running);
  expect(handled).toEqual([...upTo(last, 3), last]);
});

test('pruned events are passed over', async () => {
  const last = await given(2);
  await runOut(run());
  const { mac } = (await world.auditSeals.findLast()) ?? expect.fail();
  while (unwrap(await pruneAuditEvents(world)(OPERATOR, { last, mac })).more);
  await world.reactions.move(NAME, 0, () => anEvent());
  handled = [];
  const end = await given(1);
  await runOut(run());
  expect(handled).toEqual(upTo(end, end - last));
});
