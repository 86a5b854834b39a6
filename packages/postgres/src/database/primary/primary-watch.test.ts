import { expect, test } from 'vitest';
import type { PrimaryServer } from './primary-server.ts';
import { createPrimaryWatch } from './primary-watch.ts';

const OLD: PrimaryServer = { system: '7', timeline: 1, startedAt: '100.5' };
const PROMOTED: PrimaryServer = { ...OLD, timeline: 2, startedAt: '90.5' };
const RESTARTED: PrimaryServer = { ...OLD, startedAt: '200.5' };
const UNRELATED: PrimaryServer = { system: '8', timeline: 1, startedAt: '300.5' };

/** A watch whose pool leads to the old primary, and the number of changes that it reported since. */
function openWatch() {
  const watch = createPrimaryWatch();
  let told = 0;
  watch.subscribe(() => {
    told += 1;
  });
  expect(watch.arrived(OLD)).toBeUndefined();
  expect(told).toBe(0);
  return { ...watch, told: () => told };
}

test('connections to the same server may all be used', () => {
  const watch = openWatch();
  expect(watch.arrived({ ...OLD })).toBeUndefined();
  expect(watch.problemOf({ ...OLD })).toBeUndefined();
  expect(watch.told()).toBe(0);
});

test.each([
  ['a standby that was promoted', PROMOTED, 'was replaced'],
  ['the same server, restarted', RESTARTED, 'another server'],
  ['a server of another system', UNRELATED, 'another server'],
])('where a new connection leads to %s, those before it may not be used any longer', (_, server, problem) => {
  const watch = openWatch();
  expect(watch.arrived(server)).toBeUndefined();
  expect(watch.told()).toBe(1);
  expect(watch.problemOf(OLD)).toContain(problem);
  expect(watch.problemOf(server)).toBeUndefined();
});

test('an address that leads to the old primary again is not followed', () => {
  const watch = openWatch();
  watch.arrived(PROMOTED);
  expect(watch.arrived(OLD)).toContain('was replaced');
  expect(watch.problemOf(PROMOTED)).toBeUndefined();
  expect(watch.told()).toBe(1);
});

test('one that leads to the restarted server, or to another system and back, is followed', () => {
  const watch = openWatch();
  for (const server of [RESTARTED, UNRELATED, OLD]) expect(watch.arrived(server)).toBeUndefined();
  expect(watch.told()).toBe(3);
});

test('the address of the listening connection can show that the server of the pool was replaced', () => {
  const watch = openWatch();
  watch.sawListener(PROMOTED);
  expect(watch.told()).toBe(1);
  expect(watch.problemOf(OLD)).toContain('was replaced');
  expect(watch.arrived(OLD)).toContain('was replaced');
  expect(watch.arrived(PROMOTED)).toBeUndefined();
});

test.each([
  ['an older primary', { ...OLD, timeline: 0 }],
  ['a server of another system', { ...UNRELATED, timeline: 9 }],
])('it shows nothing where it leads to %s', (_, server) => {
  const watch = openWatch();
  watch.sawListener(server);
  expect(watch.told()).toBe(0);
  expect(watch.problemOf(OLD)).toBeUndefined();
  expect(watch.problemOf(server)).toBeDefined();
});

test('one that no longer subscribes is told nothing', () => {
  const watch = createPrimaryWatch();
  let told = 0;
  const unsubscribe = watch.subscribe(() => {
    told += 1;
  });
  unsubscribe();
  watch.arrived(OLD);
  watch.arrived(PROMOTED);
  expect(told).toBe(0);
});
