import { ROOT_CONTEXT } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { createBoundedExport, MAX_WAITING } from './bounded-export.ts';

/** A collector that answers when the test says so. */
function openExport() {
  const asked: { readonly count: number; readonly done: (result: ExportResult) => void }[] = [];
  const reports: (string | undefined)[] = [];
  const exporter = {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) =>
      void asked.push({ count: spans.length, done }),
    shutdown: async () => undefined,
  };
  const bounded = createBoundedExport(exporter, (problem) => void reports.push(problem?.message));
  const tracer = new TracerProvider({ spanProcessors: [bounded.processor] }).getTracer('test');
  const record = (count: number) => {
    for (let index = 0; index < count; index += 1) tracer.startSpan('GET', {}, ROOT_CONTEXT).end();
  };
  return { ...bounded, asked, reports, record };
}

test('while a collector does not answer, what waits is bounded, and the rest is counted', () => {
  const { record, asked, spans, hasRoom } = openExport();
  record(512);
  expect(asked.map(({ count }) => count)).toEqual([512]);
  record(MAX_WAITING - 1);
  expect(hasRoom()).toBe(true);
  record(1);
  expect(hasRoom()).toBe(false);
  record(1_000);
  expect(asked.length).toBe(1);
  expect(spans).toEqual({ sent: 0, queue_full: 1_000, not_sent: 0 });
});

test('what the collector took, and what it did not, is counted, and there is room again', async () => {
  const { record, asked, spans, reports, hasRoom } = openExport();
  record(512);
  record(MAX_WAITING);
  asked[0]?.done({ code: ExportResultCode.FAILED, error: new Error('away') });
  await expect.poll(() => asked.length).toBe(2);
  expect(hasRoom()).toBe(true);
  asked[1]?.done({ code: ExportResultCode.SUCCESS });
  expect(spans).toEqual({ sent: 512, queue_full: 0, not_sent: 512 });
  expect(reports).toEqual(['away', undefined]);
});
