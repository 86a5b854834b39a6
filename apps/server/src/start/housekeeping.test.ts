import { once } from 'node:events';
import { err, ok } from '@gatehouse/domain';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { startHousekeeping } from './housekeeping.ts';

type SealAuditEvents = Parameters<typeof startHousekeeping>[0]['sealAuditEvents'];

const SEALING_MS = 10_000;
const TIME_EVENTS_MS = 600_000;
const isHourly = (wait: number) => wait !== SEALING_MS && wait !== TIME_EVENTS_MS;
const FAILURE = new Error('no database');

/** Housekeeping whose hours pass when the test says so. */
function open(USAGE_ADDRESSES: 'on' | 'off' = 'on') {
  const recorded = recordLog();
  const sweepSessions = vi.fn(async () => ({ more: false }));
  const sweepAttempts = vi.fn(async () => ({ more: false }));
  const forgetAddresses = vi.fn(async (_which: 'old' | 'all') => 0);
  const recordTimeEvents = vi.fn(async (_: { readonly addresses: boolean }) => ({ more: false }));
  const sealAuditEvents = vi.fn<SealAuditEvents>(async () => ok({ more: false }));
  const waits: number[] = [];
  let passing = Promise.withResolvers<void>();
  const pause = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    waits.push(milliseconds);
    return Promise.race([passing.promise, once(signal, 'abort')]);
  };
  const start = () => {
    const { log } = recorded;
    const stop = startHousekeeping({
      sweepAttempts,
      sweepSessions,
      forgetAddresses,
      recordTimeEvents,
      sealAuditEvents,
      settings: { USAGE_ADDRESSES },
      log,
      pause,
    });
    onTestFinished(stop);
    return stop;
  };
  /** Ends the pauses, once both kinds of work are done. */
  async function pass() {
    await new Promise(setImmediate);
    passing.resolve();
    passing = Promise.withResolvers();
    await new Promise(setImmediate);
  }
  const work = { sweepAttempts, sweepSessions, forgetAddresses, recordTimeEvents, sealAuditEvents };
  return { ...recorded, ...work, work, waits, start, pass };
}

test('old sessions are deleted at the start and every hour, batch after batch while there are more', async () => {
  const { sweepSessions, waits, start, pass } = open();
  sweepSessions.mockResolvedValueOnce({ more: true }).mockResolvedValueOnce({ more: true });
  start();
  await new Promise(setImmediate);
  expect(sweepSessions).toHaveBeenCalledTimes(3);
  await pass();
  expect(sweepSessions).toHaveBeenCalledTimes(4);
  expect(waits.filter(isHourly)).toEqual(Array(6).fill(3_600_000));
});

test.each([
  ['on', 'old'],
  ['off', 'all'],
] as const)(
  'with USAGE_ADDRESSES=%s the %s addresses are deleted at the start and every hour',
  async (setting, which) => {
    const { forgetAddresses, waits, start, pass, entries } = open(setting);
    forgetAddresses.mockResolvedValueOnce(2);
    start();
    await pass();
    expect(forgetAddresses.mock.calls).toEqual([[which], [which]]);
    expect(waits.filter(isHourly)).toEqual(Array(6).fill(3_600_000));
    expect(entries()).toMatchObject([{ level: 'info', tokens: 2, which }]);
  },
);

test.each([
  ['on', true],
  ['off', false],
] as const)(
  'with USAGE_ADDRESSES=%s events of time are recorded at the start and every ten minutes, in batches',
  async (setting, addresses) => {
    const { recordTimeEvents, waits, start, pass } = open(setting);
    recordTimeEvents.mockResolvedValueOnce({ more: true });
    start();
    await pass();
    expect(recordTimeEvents.mock.calls).toEqual([[{ addresses }], [{ addresses }]]);
    await pass();
    expect(recordTimeEvents).toHaveBeenCalledTimes(3);
    expect(waits.filter((wait) => wait !== 3_600_000 && wait !== SEALING_MS)).toEqual([
      50,
      TIME_EVENTS_MS,
      TIME_EVENTS_MS,
    ]);
  },
);

test('events of time that cannot be recorded are recorded a minute later, and the reason is in the log', async () => {
  const { recordTimeEvents, start, pass, entries } = open();
  recordTimeEvents.mockRejectedValueOnce(FAILURE);
  start();
  await pass();
  expect(recordTimeEvents).toHaveBeenCalledTimes(2);
  expect(entries()).toMatchObject([
    {
      level: 'warn',
      msg: 'events such as the coming expiry of a token cannot be recorded: the next attempt is in a minute',
      err: { message: 'no database' },
    },
  ]);
});

test('audit events are sealed at the start and every ten seconds, with a breath between two batches', async () => {
  const { sealAuditEvents, waits, start, pass } = open();
  sealAuditEvents.mockResolvedValueOnce(ok({ more: true }));
  start();
  await pass();
  expect(sealAuditEvents).toHaveBeenCalledTimes(2);
  await pass();
  expect(sealAuditEvents).toHaveBeenCalledTimes(3);
  expect(waits.filter((wait) => wait !== 3_600_000 && wait !== TIME_EVENTS_MS)).toEqual([
    50,
    SEALING_MS,
    SEALING_MS,
  ]);
});

test('sealing that failed is tried again after ten seconds, because reactions wait for it', async () => {
  const { sealAuditEvents, waits, start, pass } = open();
  sealAuditEvents.mockRejectedValueOnce(FAILURE);
  start();
  await pass();
  expect(waits.filter((wait) => wait === SEALING_MS)).toHaveLength(2);
});

test('what keeps audit events from being sealed is in the log, also that the master key is another one', async () => {
  const { sealAuditEvents, start, pass, entries } = open();
  sealAuditEvents.mockRejectedValueOnce(FAILURE).mockResolvedValueOnce(err({ code: 'master_key_rejected' }));
  start();
  await pass();
  await pass();
  expect(entries()).toMatchObject([
    {
      level: 'warn',
      msg: expect.stringMatching(/^audit events cannot be sealed, /),
      err: { message: 'no database' },
    },
    {
      level: 'warn',
      msg: expect.stringMatching(/^audit events cannot be sealed, /),
      err: { message: 'master_key_rejected' },
    },
  ]);
});

test('what cannot be deleted is deleted a minute later, the reason is in the log, and the rest is deleted', async () => {
  const { sweepAttempts, sweepSessions, forgetAddresses, waits, start, pass, entries } = open();
  sweepAttempts.mockRejectedValueOnce(FAILURE);
  sweepSessions.mockRejectedValueOnce(FAILURE);
  forgetAddresses.mockResolvedValueOnce(0).mockRejectedValueOnce(FAILURE);
  start();
  await pass();
  const others = waits.filter(isHourly);
  expect(others.toSorted((a, b) => a - b)).toEqual([60_000, 60_000, 60_000, 3_600_000, 3_600_000, 3_600_000]);
  expect(entries()).toMatchObject([
    {
      level: 'warn',
      msg: 'old sessions cannot be deleted: the next attempt is in a minute',
      err: { message: 'no database' },
    },
    {
      level: 'warn',
      msg: 'old sign-ins with identity providers cannot be deleted: the next attempt is in a minute',
      err: { message: 'no database' },
    },
    {
      level: 'warn',
      msg: 'addresses from which tokens were used cannot be deleted: the next attempt is in a minute',
      err: { message: 'no database' },
    },
  ]);
  await pass();
  expect([sweepAttempts, sweepSessions, forgetAddresses].map(({ mock }) => mock.calls.length)).toEqual([
    3, 3, 3,
  ]);
});

test('a stop waits for the batch in progress, begins no other, and a failure of that one is no news', async () => {
  const { sweepSessions, forgetAddresses, start, entries } = open();
  const batch = Promise.withResolvers<{ more: boolean }>();
  const forgetting = Promise.withResolvers<number>();
  sweepSessions.mockReturnValue(batch.promise);
  forgetAddresses.mockReturnValue(forgetting.promise);
  const stop = start();
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await new Promise(setImmediate);
  expect(stopped).not.toHaveBeenCalled();
  batch.resolve({ more: true });
  forgetting.reject(FAILURE);
  await stopping;
  expect(sweepSessions).toHaveBeenCalledTimes(1);
  expect(entries()).toEqual([]);
});

test('a stop ends the timers between', async () => {
  const settings = { USAGE_ADDRESSES: 'on' } as const;
  const { work, log } = open();
  const stop = startHousekeeping({ ...work, settings, log });
  await new Promise(setImmediate);
  await stop();
});
