import { expect, test } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { createFeedLog, createUsageLog } from './adapter-logs.ts';

const told = (log: ReturnType<typeof recordLog>) => log.entries().map(({ level, msg }) => `${level}: ${msg}`);

test('a change feed that is lost is a warning with the reason, and its recovery is at the level `info`', () => {
  const recorded = recordLog();
  const report = createFeedLog(recorded.log);
  report({ kind: 'trusted' });
  expect(told(recorded).filter((line) => !line.startsWith('debug'))).toEqual([]);
  report({ kind: 'untrusted', reason: 'the connection was closed' });
  report({ kind: 'trusted' });
  expect(told(recorded).slice(-2)).toEqual([
    'warn: the change feed is not trusted, because it may miss changes: every read uses the database',
    'info: the change feed is trusted: from now on it reports every change, and reads use the caches',
  ]);
  expect(recorded.entries().at(-2)).toMatchObject({ reason: 'the connection was closed' });
});

test('a server that does not say which one it is, is a warning with the reason', () => {
  const recorded = recordLog();
  createFeedLog(recorded.log)({ kind: 'servers_unknown', reason: 'permission denied' });
  expect(recorded.entries()).toMatchObject([{ level: 'warn', reason: 'permission denied' }]);
});

test('a clock that differs from the database’s is a warning', () => {
  const recorded = recordLog();
  createFeedLog(recorded.log)({ kind: 'clock_skewed', skewMs: -1500 });
  expect(recorded.entries()).toMatchObject([{ level: 'warn', ahead_ms: -1500 }]);
});

test('usage that is stored again is at the level `info`, and a warning where some was dropped', () => {
  const recorded = recordLog();
  const report = createUsageLog(recorded.log);
  report({ kind: 'usage_delayed', reason: 'no room' });
  report({ kind: 'usage_stored', dropped: 0 });
  report({ kind: 'usage_stored', dropped: 3 });
  expect(recorded.entries()).toMatchObject([
    { level: 'warn', reason: 'no room' },
    { level: 'info', dropped: 0 },
    { level: 'warn', dropped: 3 },
  ]);
});
