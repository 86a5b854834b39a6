import { expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { createLimitRecorder } from './limit-log.ts';

test('connections closed for a limit are counted, and logged once a minute: how many, and the last address', () => {
  const { log, entries } = recordLog();
  let now = 0;
  const counter = { inc: vi.fn() };
  const record = createLimitRecorder({ log, limits: counter }, () => now);
  for (const at of [0, 1, 59_999, 60_000, 60_001]) {
    now = at;
    record('connections_per_address', `192.0.2.${at % 7}`);
  }
  record('pipelined_requests');
  expect(entries()).toMatchObject([
    {
      kind: 'connections_closed',
      limit: 'connections_per_address',
      closed: 1,
      last_address: '192.0.2.0',
      msg: expect.stringContaining('MAX_CONNECTIONS_PER_ADDRESS'),
    },
    { closed: 3, last_address: '192.0.2.3' },
    {
      closed: 1,
      msg: 'connections are closed: clients sent too many requests without waiting for the responses',
    },
  ]);
  expect(counter.inc).toHaveBeenCalledTimes(6);
});
