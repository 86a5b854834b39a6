import { once } from 'node:events';
import { sealAuditEvents } from '@gatehouse/domain/audit';
import {
  byAccount,
  type Handled,
  type Lane,
  type Reaction,
  type ReactionName,
  USUAL_PLAN,
} from '@gatehouse/domain/reactions';
import { createWorld, givenEvents, unwrap } from '@gatehouse/domain/testing';
import type { MonotonicClock } from '@gatehouse/domain/time';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { linesOf } from '../../testing/metrics.ts';
import { exposition } from '../metrics/metrics.ts';
import { createReactionMetrics } from '../metrics/reaction-metrics.ts';
import { startReactions } from './start-reactions.ts';

const DONE: Handled = { kind: 'done' };
const NAME = 'mail' as ReactionName;
/** A handler that never ends is waited for at a stop. */
const STOPS = 5_000;

async function open(
  handle: Reaction['handle'] = async () => DONE,
  monotonicClock: MonotonicClock = { elapsedMs: () => 0 },
) {
  const world = await createWorld();
  const recorded = recordLog();
  const metrics = createReactionMetrics();
  const seal = async () => void unwrap(await sealAuditEvents(world)());
  await seal();
  const waits: number[] = [];
  let passing = Promise.withResolvers<void>();
  const pause = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    waits.push(milliseconds);
    return Promise.race([passing.promise, once(signal, 'abort')]);
  };
  const reaction: Reaction = { name: NAME, on: 'all', plan: USUAL_PLAN, address: byAccount, handle };
  const start = (
    reactions: readonly Reaction[] = [reaction],
    repositories: Parameters<typeof startReactions>[0]['repositories'] = world,
  ) => {
    const parts = {
      clock: world.clock,
      monotonicClock,
      log: recorded.log,
      metrics,
      pause,
    };
    const stop = startReactions({ reactions, repositories, ...parts });
    onTestFinished(stop);
    return stop;
  };
  const settled = () => vi.waitFor(() => expect(waits.length).toBeGreaterThan(0));
  /** Ends the pauses, and waits until nothing is to do. */
  async function pass() {
    await new Promise(setImmediate);
    passing.resolve();
    passing = Promise.withResolvers();
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }
  const exposed = async () => exposition([await metrics.snapshot()]);
  const given = async (count: number) => {
    await givenEvents(world, count);
    await seal();
  };
  return { ...recorded, world, start, pass, settled, given, waits, exposed };
}

test('events that are sealed after the start reach the handler', async () => {
  const handled: number[] = [];
  const { world, start, pass, given } = await open(async ({ position }) => {
    handled.push(position);
    return DONE;
  });
  const last = (await world.auditSeals.findLast())?.last ?? 0;
  start();
  await pass();
  await given(3);
  await pass();
  expect(handled).toEqual([last + 1, last + 2, last + 3]);
});

test('a server that does not run it asks every five seconds, one that does every second', async () => {
  const { start, waits, pass } = await open();
  start();
  await pass();
  expect(waits.filter((wait) => wait !== 10_000)).toEqual([1_000, 1_000]);
  waits.length = 0;
  start();
  await pass();
  expect(waits).toContain(5_000);
});

test('a stop lets another server go on at once', async () => {
  const handled: string[] = [];
  const { start, pass, given, world } = await open();
  const stop = start();
  await pass();
  await stop();
  expect((await world.reactions.list())[0]?.running).toBe(false);
  start([
    {
      name: NAME,
      on: 'all',
      plan: USUAL_PLAN,
      address: byAccount,
      handle: async () => {
        handled.push('second');
        return DONE;
      },
    },
  ]);
  await given(1);
  await pass();
  expect(handled).toEqual(['second']);
});

test('a stop waits for the handler at work, and begins no other', async () => {
  const gate = Promise.withResolvers<Handled>();
  const handle = vi.fn(() => gate.promise);
  const { start, pass, given, world } = await open(handle);
  const stop = start();
  await pass();
  await given(2);
  await pass();
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await new Promise(setImmediate);
  expect(stopped).not.toHaveBeenCalled();
  gate.resolve(DONE);
  await stopping;
  expect(handle).toHaveBeenCalledTimes(1);
  expect(await world.reactions.list()).toMatchObject([{ waiting: 1, running: false }]);
});

test('a handler that does not end keeps the reaction, so that no other server begins the same event', async () => {
  const { start, pass, given, world } = await open(() => new Promise(() => undefined));
  const stop = start();
  await pass();
  await given(1);
  await pass();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopping = stop();
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(STOPS);
  await stopping;
  expect(await world.reactions.list()).toMatchObject([{ waiting: 1, running: true }]);
});

test('tries are counted, and those that fail are in the log', async () => {
  const outcomes: Handled[] = [
    DONE,
    { kind: 'dropped', problem: 'gone' },
    { kind: 'failed', problem: 'status 500' },
  ];
  const { start, pass, given, entries, exposed } = await open(async () => outcomes.shift() ?? DONE);
  start();
  await pass();
  await given(3);
  await pass();
  await pass();
  const lines = linesOf(await exposed(), 'gatehouse_reaction_deliveries_total');
  expect(lines).toEqual([
    'gatehouse_reaction_deliveries_total{reaction="mail",result="done"} 1',
    'gatehouse_reaction_deliveries_total{reaction="mail",result="dropped"} 1',
    'gatehouse_reaction_deliveries_total{reaction="mail",result="failed"} 1',
  ]);
  expect(entries()).toMatchObject([
    { level: 'warn', kind: 'reaction_failed', reaction: 'mail', problem: 'gone' },
    { level: 'warn', kind: 'reaction_failed', reaction: 'mail', problem: 'status 500' },
  ]);
});

test('what a lane drops for the same reason is one line of the log for a minute', async () => {
  let elapsedMs = 0;
  const { start, pass, given, entries } = await open(undefined, { elapsedMs: () => elapsedMs });
  const drop = (lane: string): Reaction => ({
    name: NAME,
    on: 'all',
    plan: USUAL_PLAN,
    address: async (events) => events.map((each) => ({ ...each, lane: lane as Lane })),
    handle: async () => ({ kind: 'dropped', problem: 'the webhook was deleted' }),
  });
  start([drop('webhook 1'), { ...drop('webhook 2'), name: 'webhooks' as ReactionName }]);
  await pass();
  for (const expected of [2, 2, 4]) {
    await given(5);
    await pass();
    await pass();
    expect(entries()).toHaveLength(expected);
    if (expected === 2) elapsedMs += 40_000;
  }
});

test('what waits is measured, also of a reaction that no server runs, and unknown without a database', async () => {
  const { start, pass, given, exposed, world } = await open();
  await world.reactions.register(
    'former/one' as ReactionName,
    (await world.auditSeals.findLast())?.last ?? 0,
  );
  await given(1);
  world.clock.advance(90_000);
  start([]);
  await pass();
  expect(linesOf(await exposed(), 'gatehouse_reaction_waiting_seconds')).toEqual([
    'gatehouse_reaction_waiting_seconds{reaction="former/one"} 90',
  ]);
  Object.assign(world.reactions, { list: () => Promise.reject(new Error('no database')) });
  await pass();
  expect(linesOf(await exposed(), 'gatehouse_reaction_waiting_seconds')).toEqual([]);
});

test('a fault is in the log, and the reaction goes on later', async () => {
  const handled = vi.fn(async () => DONE);
  const { start, pass, given, entries, world, waits } = await open(handled);
  let fails = 2;
  const { register, hold } = world.reactions;
  const failing =
    <Given extends unknown[], T>(method: (...given: Given) => Promise<T>) =>
    async (...given: Given) => {
      fails -= 1;
      if (fails >= 0) throw new Error('no database');
      return method(...given);
    };
  start(undefined, {
    ...world,
    reactions: { ...world.reactions, register: failing(register), hold: failing(hold) },
  });
  await pass();
  await pass();
  await pass();
  await given(1);
  await pass();
  expect(handled).toHaveBeenCalledTimes(1);
  expect(waits.filter((wait) => wait === 5_000)).toHaveLength(2);
  // The log leaves out a line that it had just before.
  expect(entries()).toMatchObject([{ level: 'warn', kind: 'reaction_held_up', reaction: 'mail' }]);
});
