import { beforeEach, expect, test } from 'vitest';
import { createFixedClock, createInMemoryChangeFeed, START } from '../../testing/index.ts';
import { createLease, type Lease } from './lease.ts';

const clock = createFixedClock(START);
let elapsedMs = 0;
let feed: ReturnType<typeof createInMemoryChangeFeed>;
let lease: Lease;

beforeEach(() => {
  const clocks = { clock, monotonicClock: { elapsedMs: () => elapsedMs } };
  feed = createInMemoryChangeFeed(clocks);
  lease = createLease({ feed, ...clocks, maxStalenessMs: 1000 });
});

const pass = (milliseconds: number) => {
  clock.advance(milliseconds);
  elapsedMs += milliseconds;
};

test('before anything was heard there is no lease', () => {
  expect(lease()).toBe(false);
});

test('a lease lasts for as long as knowledge may be old, from when the heartbeat was sent', () => {
  feed.beat();
  pass(1000);
  expect(lease()).toBe(true);
  pass(1);
  expect(lease()).toBe(false);
  feed.beat();
  expect(lease()).toBe(true);
});

test('it ends with the feed, at once', () => {
  feed.beat();
  feed.lose();
  expect(lease()).toBe(false);
});

test('a machine that was suspended has no lease, although its monotonic clock stood still', () => {
  feed.beat();
  clock.advance(60_000);
  expect(lease()).toBe(false);
});

test('setting the wall clock back does not lengthen it', () => {
  feed.beat();
  clock.advance(-300_000);
  expect(lease()).toBe(true);
  elapsedMs += 1001;
  expect(lease()).toBe(false);
});
