import { UnavailableFault } from '@gatehouse/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordLog } from '../testing/log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const unavailable = () =>
  new UnavailableFault('the database cannot be reached', { cause: new Error('refused') });

test('a fault that passes has no stack, nor has its cause', () => {
  const { log, lines, entries } = recordLog();
  log.warn({ err: unavailable() }, 'not available');
  expect(lines.join('')).not.toContain('log.test.ts');
  expect(entries()).toMatchObject([
    {
      err: {
        name: 'UnavailableFault',
        message: 'the database cannot be reached',
        cause: { message: 'refused' },
      },
    },
  ]);
});

test('a defect has its stack', () => {
  const { log, lines } = recordLog();
  log.error({ err: new TypeError('x') }, 'a request failed');
  expect(lines.join('')).toContain('log.test.ts');
});

test('of equal warnings the first is written at once, and once a second how many more there were', () => {
  const { log, entries } = recordLog();
  const warn = (count: number) => {
    for (let index = 0; index < count; index += 1)
      log.warn({ request_id: `r-${index}`, route: '/x', err: unavailable() }, 'not available');
  };
  warn(10_000);
  expect(entries()).toMatchObject([{ request_id: 'r-0', route: '/x', msg: 'not available', level: 'warn' }]);
  vi.advanceTimersByTime(1000);
  warn(500);
  vi.advanceTimersByTime(1000);
  const summaries = entries().slice(1);
  expect(summaries).toMatchObject([
    { route: '/x', msg: 'not available', level: 'warn', repeated: 9_999, err: { name: 'UnavailableFault' } },
    { repeated: 500 },
  ]);
  for (const summary of summaries) expect(summary).not.toHaveProperty('request_id');
  // A second without one: the next is written at once again.
  vi.advanceTimersByTime(1000);
  warn(1);
  expect(entries().at(-1)).toMatchObject({ request_id: 'r-0' });
  vi.advanceTimersByTime(10_000);
  expect(entries()).toHaveLength(4);
});

test('lines that differ in anything but the request are each written', () => {
  const { log, entries } = recordLog();
  log.warn({ request_id: 'r-1', route: '/x' }, 'not available');
  log.warn({ request_id: 'r-1', route: '/y' }, 'not available');
  log.error({ request_id: 'r-1', route: '/x' }, 'not available');
  log.warn({ request_id: 'r-1', route: '/x' }, 'other');
  log.warn('other');
  log.warn({ request_id: 'r-1', route: '/x', err: new Error('a') }, 'not available');
  log.warn({ request_id: 'r-1', route: '/x', err: new Error('b') }, 'not available');
  expect(entries()).toHaveLength(7);
});

test('outcomes of requests are each written, however many are equal', () => {
  const { log, entries } = recordLog();
  for (let index = 0; index < 100; index += 1) log.info({ outcome: 'accepted' }, 'sign-in');
  expect(entries()).toHaveLength(100);
});

test('however many different lines there are, some are written and all are counted', () => {
  const { log, entries } = recordLog();
  for (let index = 0; index < 5000; index += 1) log.error({ index }, 'a request failed');
  expect(entries()).toHaveLength(100);
  vi.advanceTimersByTime(1000);
  expect(entries().slice(100)).toMatchObject([
    { level: 'error', msg: expect.stringMatching(/^lines of the log were lost/), lines: 4900 },
  ]);
});

test('a line does nothing to the terminal that it is read in, and says what was logged', () => {
  const { log, lines, entries } = recordLog();
  const fields = {
    email: '\u202emoc.elpmaxe@ada\u009b2J\u200d\u2028\u{e0041}é',
    err: new Error('no\u2066ne'),
  };
  log.info(fields, 'sign-in');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).toMatch(/^[ -~é]*$/);
  expect(entries()).toMatchObject([{ email: fields.email, err: { message: 'no\u2066ne' } }]);
});
