import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { createExportLog, createHeaders } from './open-tracing.ts';

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

test('a file of headers is read for each message, and one that cannot be used is said once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-headers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'headers');
  const file = { path, value: { authorization: 'first' }, isRegular: true };
  const said: string[] = [];
  const headers = createHeaders({ OTEL_EXPORTER_OTLP_HEADERS_FILE: file }, (line) => said.push(line));
  await writeFile(path, 'authorization=second', { mode: 0o600 });
  expect(await headers()).toEqual({ authorization: 'second' });
  await writeFile(path, '');
  for (let message = 0; message < 2; message += 1)
    expect(await headers()).toEqual({ authorization: 'second' });
  expect(said).toEqual([
    `OTEL_EXPORTER_OTLP_HEADERS_FILE names ${path}, which is empty: it must contain headers such as authorization=Bearer%20..., with commas between them: its previous headers are used`,
  ]);
});
