import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { startSweeping } from './start-sweeping.ts';

/** A pause that lasts until the test ends it. */
function manualPause() {
  const waits: number[] = [];
  let end = () => {};
  const pause = vi.fn((milliseconds: number, signal: AbortSignal) => {
    waits.push(milliseconds);
    return Promise.race([new Promise<void>((resolve) => (end = resolve)), once(signal, 'abort')]);
  });
  const pass = async () => {
    end();
    await new Promise(setImmediate);
  };
  return { pause, pass, waits };
}

test('sweeps a minute after the start and then every hour, batch after batch while there are more', async () => {
  const { pause, pass, waits } = manualPause();
  const sweep = vi.fn(async () => ({ more: false }));
  sweep.mockResolvedValueOnce({ more: true }).mockResolvedValueOnce({ more: true });
  const stop = startSweeping(sweep, recordLog().log, pause);
  expect(sweep).not.toHaveBeenCalled();
  await pass();
  expect(sweep).toHaveBeenCalledTimes(3);
  await pass();
  expect(sweep).toHaveBeenCalledTimes(4);
  expect(waits).toEqual([60_000, 3_600_000, 3_600_000]);
  await stop();
  expect(sweep).toHaveBeenCalledTimes(4);
});

test('a sweep that fails is logged, and the next one takes place', async () => {
  const { pause, pass } = manualPause();
  const { log, entries } = recordLog();
  const sweep = vi.fn(async () => ({ more: false })).mockRejectedValueOnce(new Error('no database'));
  const stop = startSweeping(sweep, log, pause);
  await pass();
  expect(entries()).toMatchObject([
    { msg: 'old sessions were not deleted', err: { message: 'no database' } },
  ]);
  await pass();
  expect(sweep).toHaveBeenCalledTimes(2);
  await stop();
});

test('a stop waits for the batch in progress, and begins no other', async () => {
  const { pause, pass } = manualPause();
  const batch = Promise.withResolvers<{ more: boolean }>();
  const sweep = vi.fn(() => batch.promise);
  const stop = startSweeping(sweep, recordLog().log, pause);
  await pass();
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await new Promise(setImmediate);
  expect(stopped).not.toHaveBeenCalled();
  batch.resolve({ more: true });
  await stopping;
  expect(sweep).toHaveBeenCalledTimes(1);
});

test('the timer between sweeps does not keep a process alive, and ends with the stop', async () => {
  await startSweeping(async () => ({ more: false }), recordLog().log)();
});
