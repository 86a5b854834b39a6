import { expect, test } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { createExportLog } from './export-log.ts';

test('a collector that is away is logged at once, then once a minute with what was dropped, and when it is back', () => {
  const { log, entries } = recordLog();
  const spans = { sent: 0, queue_full: 0, not_sent: 0 };
  let now = 0;
  const report = createExportLog(
    log,
    () => spans,
    () => now,
  );
  const away = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:4318'), { code: 'ECONNREFUSED' });
  report();
  for (const [at, queueFull, notSent] of [
    [1_000, 0, 512],
    [60_999, 7, 1_024],
    [61_000, 9, 1_024],
  ] as const) {
    now = at;
    Object.assign(spans, { queue_full: queueFull, not_sent: notSent });
    report(away);
  }
  report();
  report();
  expect(entries()).toMatchObject([
    { level: 'warn', msg: 'traces cannot be sent', dropped: 512, reason: 'ECONNREFUSED' },
    { level: 'warn', msg: 'traces cannot be sent', dropped: 521, reason: 'ECONNREFUSED' },
    { level: 'info', msg: 'traces are sent again', dropped: 0 },
  ]);
});
