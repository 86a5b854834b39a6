import { expect, onTestFinished, test } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { forgetAddressesHourly } from './forget-addresses.ts';

/** Forgets with a clock that passes when the test says so. */
function open(setting: 'on' | 'off', outcomes: readonly (number | Error)[]) {
  const recorded = recordLog();
  const asked: string[] = [];
  const pauses: number[] = [];
  let next: () => void = () => {};
  let begun = Promise.withResolvers<void>();
  const stop = forgetAddressesHourly({
    forget: async (which) => {
      const outcome = outcomes[asked.length] ?? 0;
      asked.push(which);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    settings: { USAGE_ADDRESSES: setting },
    log: recorded.log,
    pause: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        pauses.push(milliseconds);
        next = () => resolve(undefined);
        signal.addEventListener('abort', () => reject(signal.reason));
        begun.resolve();
      }),
  });
  onTestFinished(stop);
  async function waits() {
    await begun.promise;
    begun = Promise.withResolvers();
  }
  return { recorded, asked, pauses, waits, pass: () => next(), stop };
}

test.each([
  ['on', 'old'],
  ['off', 'all'],
] as const)(
  'with USAGE_ADDRESSES=%s the %s ones are deleted at the start and every hour',
  async (setting, which) => {
    const { asked, pauses, waits, pass, recorded } = open(setting, [2, 0]);
    await waits();
    pass();
    await waits();
    expect([asked, pauses]).toEqual([
      [which, which],
      [3_600_000, 3_600_000],
    ]);
    expect(recorded.entries()).toMatchObject([{ level: 'info', tokens: 2, which }]);
  },
);

test('what cannot be deleted is deleted a minute later, and the reason is in the log', async () => {
  const { pauses, waits, pass, recorded } = open('off', [new Error('no database'), 3]);
  await waits();
  pass();
  await waits();
  expect(pauses).toEqual([60_000, 3_600_000]);
  expect(recorded.entries()).toMatchObject([{ level: 'warn' }, { level: 'info', tokens: 3 }]);
});

test('stopping ends the wait', async () => {
  const { asked, waits, stop } = open('on', []);
  await waits();
  await stop();
  expect(asked).toEqual(['old']);
});
