import { beforeEach, expect, test } from 'vitest';
import { createFixedClock, createInMemoryChangeFeed, START } from '../../testing/index.ts';
import { createFreshnessCheck, type FreshnessCheck } from './change-feed.ts';

const clock = createFixedClock(START);
let elapsedMs = 0;
let feed: ReturnType<typeof createInMemoryChangeFeed>;
let isFresh: FreshnessCheck;

beforeEach(() => {
  const clocks = { clock, monotonicClock: { elapsedMs: () => elapsedMs } };
  feed = createInMemoryChangeFeed(clocks);
  isFresh = createFreshnessCheck({ feed, ...clocks, maxStalenessMs: 1000 });
});

const pass = (milliseconds: number) => {
  clock.advance(milliseconds);
  elapsedMs += milliseconds;
};

test('the feed is not fresh before its first heartbeat', () => {
  expect(isFresh()).toBe(false);
});

test('the feed is fresh until the maximum staleness after the heartbeat was sent', () => {
  feed.beat();
  pass(1000);
  expect(isFresh()).toBe(true);
  pass(1);
  expect(isFresh()).toBe(false);
  feed.beat();
  expect(isFresh()).toBe(true);
});

test('freshness ends at once when the feed is lost', () => {
  feed.beat();
  feed.lose();
  expect(isFresh()).toBe(false);
});

test('on a machine that was suspended the feed is not fresh, although its monotonic clock stood still', () => {
  feed.beat();
  clock.advance(60_000);
  expect(isFresh()).toBe(false);
});

test('setting the wall clock back does not extend freshness', () => {
  feed.beat();
  clock.advance(-300_000);
  expect(isFresh()).toBe(true);
  elapsedMs += 1001;
  expect(isFresh()).toBe(false);
});
