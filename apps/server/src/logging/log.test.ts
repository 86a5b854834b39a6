import { UnavailableFault } from '@gatehouse/domain';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';

afterEach(() => void vi.useRealTimers());

beforeEach(() => {
  vi.useFakeTimers();
});

const unavailable = () =>
  new UnavailableFault('the database cannot be reached', { cause: new Error('refused') });

test('a defect has its stack; a transient fault has none, nor has its cause', () => {
  const { log, lines, entries } = recordLog();
  log.warn({ err: unavailable() }, 'not available');
  log.error({ err: new TypeError('x') }, 'a request failed');
  expect(lines.map((line) => line.includes('log.test.ts'))).toEqual([false, true]);
  const message = 'the database cannot be reached';
  expect(entries()[0]).toMatchObject({
    err: { name: 'UnavailableFault', message, cause: { message: 'refused' } },
  });
});

test('of equal warnings the first is written at once, and a count of the others once per second', () => {
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

test('lines that differ in more than the request, and outcomes of requests, are all written', () => {
  const { log, entries } = recordLog();
  log.warn({ request_id: 'r-1', route: '/x' }, 'not available');
  log.warn({ request_id: 'r-1', route: '/y' }, 'not available');
  log.error({ request_id: 'r-1', route: '/x' }, 'not available');
  log.warn({ request_id: 'r-1', route: '/x' }, 'other');
  log.warn('other');
  log.warn({ request_id: 'r-1', route: '/x', err: new Error('a') }, 'not available');
  log.warn({ request_id: 'r-1', route: '/x', err: new Error('b') }, 'not available');
  for (let index = 0; index < 100; index += 1) log.info({ kind: 'sign_in', outcome: 'accepted' }, 'sign-in');
  expect(entries()).toHaveLength(107);
});

test('of very many different lines some are written and all are counted', () => {
  const { log, entries } = recordLog();
  for (let index = 0; index < 5000; index += 1) log.error({ index }, 'a request failed');
  expect(entries()).toHaveLength(100);
  vi.advanceTimersByTime(1000);
  expect(entries().slice(100)).toMatchObject([
    {
      level: 'error',
      kind: 'lines_lost',
      msg: expect.stringMatching(/^lines of the log were lost/),
      lines: 4900,
    },
  ]);
});

test('a line has no effect on the reader’s terminal, and contains what was logged', () => {
  const { log, lines, entries } = recordLog();
  const fields = {
    email: '\u202emoc.elpmaxe@ada\u009b2J\u200d\u2028\u{e0041}é',
    err: new Error('no\u2066ne'),
  };
  log.info({ kind: 'sign_in', ...fields }, 'sign-in');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).toMatch(/^[ -~é]*$/);
  expect(entries()).toMatchObject([{ email: fields.email, err: { message: 'no\u2066ne' } }]);
});

describe('refused tokens', () => {
  const refuse = (log: Logger, count: number, address: string, facts: object = {}) => {
    for (let index = 0; index < count; index += 1)
      log.info(
        { kind: 'refused', request_id: `${address}-${index}`, reason: 'malformed', address, ...facts },
        'refused',
      );
  };
  const countOf = (entries: readonly Readonly<Record<string, unknown>>[]) =>
    entries.reduce((sum, { repeated }) => sum + (repeated === undefined ? 1 : Number(repeated)), 0);

  test('of one network and one reason are written at first, and then counted once per second', () => {
    const { log, entries } = recordLog();
    refuse(log, 10_000, '192.0.2.1');
    expect(entries()).toHaveLength(20);
    expect(entries()[0]).toMatchObject({ request_id: '192.0.2.1-0', address: '192.0.2.1' });
    vi.advanceTimersByTime(1000);
    refuse(log, 500, '192.0.2.1');
    vi.advanceTimersByTime(1000);
    const summaries = entries().slice(20);
    expect(summaries).toMatchObject([
      {
        level: 'info',
        kind: 'refused',
        msg: 'refused',
        reason: 'malformed',
        network: '192.0.2.1/32',
        repeated: 9_980,
      },
      { repeated: 500 },
    ]);
    for (const summary of summaries) expect(summary).not.toHaveProperty('request_id');
    vi.advanceTimersByTime(1000);
    refuse(log, 1, '192.0.2.1');
    expect(entries().at(-1)).toMatchObject({ request_id: '192.0.2.1-0' });
  });

  test('of another network, for another reason, or with the id of a token are counted separately', () => {
    const { log, entries } = recordLog();
    refuse(log, 10_000, '2001:db8::1');
    const before = entries().length;
    refuse(log, 10, '2001:db8::1:2');
    expect(entries()).toHaveLength(before);
    refuse(log, 10, '2001:db8:0:1::1');
    refuse(log, 10, '192.0.2.2');
    refuse(log, 10, '2001:db8::1', { reason: 'revoked' });
    refuse(log, 20, '2001:db8::1', { reason: 'revoked', token_id: 't', user_id: 1 });
    expect(entries()).toHaveLength(before + 50);
  });

  test('of a client with very many networks do not suppress those of others, and all are counted', () => {
    const { log, entries } = recordLog();
    for (let network = 0; network < 5000; network += 1)
      refuse(log, 2, `2001:db8:0:${network.toString(16)}::1`);
    const before = entries().length;
    expect(before).toBeLessThanOrEqual(100 * 20 + 20);
    refuse(log, 5, '192.0.2.1');
    expect(entries()).toHaveLength(before + 5);
    vi.advanceTimersByTime(1000);
    expect(entries().at(-1)).toMatchObject({ network: '2001:db8::/32' });
    expect(countOf(entries())).toBe(10_005);
  });

  test('of a client with very many networks leave groups to count others by network', () => {
    const { log, entries } = recordLog();
    for (let second = 0; second < 3; second += 1) {
      for (let network = 0; network < 200; network += 1)
        refuse(log, 30, `2001:db8:0:${network.toString(16)}::1`);
      vi.advanceTimersByTime(1000);
    }
    refuse(log, 50, '192.0.2.1');
    vi.advanceTimersByTime(1000);
    expect(entries()).toContainEqual(expect.objectContaining({ network: '192.0.2.1/32', repeated: 30 }));
  });

  /** Logs requests that an accepted token may not make. */
  const deny = (log: Logger, count: number, facts: object) => refuse(log, count, '192.0.2.1', facts);
  const ofBen = { reason: 'not_found', token_id: 'ben’s', user_id: 2 };

  test('that were accepted but denied the request are counted by token, reason and network', () => {
    const { log, entries } = recordLog();
    deny(log, 10_000, ofBen);
    expect(entries()).toHaveLength(20);
    expect(entries()[0]).toMatchObject({
      request_id: '192.0.2.1-0',
      address: '192.0.2.1',
      token_id: 'ben’s',
    });
    deny(log, 3, { ...ofBen, reason: 'insufficient_scope' });
    deny(log, 3, { ...ofBen, token_id: 'another of ben’s' });
    refuse(log, 3, '192.0.2.2', ofBen);
    expect(entries()).toHaveLength(29);
    vi.advanceTimersByTime(1000);
    const summaries = entries().slice(29);
    expect(summaries).toMatchObject([
      { level: 'info', kind: 'refused', msg: 'refused', ...ofBen, network: '192.0.2.1/32', repeated: 9_980 },
    ]);
    for (const summary of summaries) expect(summary).not.toHaveProperty('request_id');
    vi.advanceTimersByTime(1000);
    deny(log, 1, ofBen);
    expect(entries().at(-1)).toMatchObject({ request_id: '192.0.2.1-0' });
  });

  test('of one user with very many tokens do not suppress those of other users, and all are counted', () => {
    const { log, entries } = recordLog();
    for (let token = 0; token < 1000; token += 1) deny(log, 20, { ...ofBen, token_id: `ben’s ${token}` });
    const before = entries().length;
    expect(before).toBe(25 * 20 + 20);
    deny(log, 5, { reason: 'not_found', token_id: 'ada’s', user_id: 1 });
    expect(entries().slice(before)).toMatchObject(Array(5).fill({ token_id: 'ada’s' }));
    vi.advanceTimersByTime(1000);
    expect(entries().at(-1)).toMatchObject({
      reason: 'not_found',
      token_id: null,
      user_id: 2,
      network: null,
    });
    expect(countOf(entries())).toBe(20_005);
  });

  test('of a flood without accepted tokens do not suppress those with one', () => {
    const { log, entries } = recordLog();
    for (let network = 0; network < 50_000; network += 1)
      refuse(log, 1, `10.${network % 250}.${Math.floor(network / 250)}.1`);
    const before = entries().length;
    deny(log, 20, ofBen);
    deny(log, 20, { ...ofBen, token_id: 'ada’s', user_id: 1 });
    expect(entries()).toHaveLength(before + 40);
  });

  test('of very many users or networks are bounded in lines, and all are counted', () => {
    const users = recordLog();
    for (let user = 0; user < 10_000; user += 1)
      deny(users.log, 2, { ...ofBen, token_id: `t${user}`, user_id: user });
    const networks = recordLog();
    for (let network = 0; network < 20_000; network += 1)
      refuse(networks.log, 1, `10.${network % 256}.${Math.floor(network / 256)}.1`);
    refuse(networks.log, 1, '');
    vi.advanceTimersByTime(1000);
    expect(users.entries().length).toBeLessThan(500);
    expect(networks.entries().length).toBeLessThan(5000);
    expect(users.entries().at(-1)).toMatchObject({ token_id: null, user_id: null, network: null });
    expect(networks.entries().at(-1)).toMatchObject({ reason: 'malformed', network: null });
    expect([countOf(users.entries()), countOf(networks.entries())]).toEqual([20_000, 20_001]);
  });
});
