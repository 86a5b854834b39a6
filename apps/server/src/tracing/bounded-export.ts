import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

/** The number of spans by outcome. */
export type SpanCounts = Readonly<Record<'sent' | 'queue_full' | 'not_sent', number>>;

/** The largest number of spans that wait to be sent. Each takes about 2 KB. */
export const MAX_WAITING = 2_048;
/** The number of spans in one message. */
const BATCH = 512;
/** Longest wait until a span is sent, in milliseconds. */
const SEND_EVERY_MS = 1_000;
/** Longest wait for the collector to take a message, in milliseconds. */
export const SEND_WITHIN_MS = 10_000;

/**
 * Sends spans in batches, and counts them. A slow or unavailable collector delays no request: the number of waiting
 * spans is limited, and further spans are dropped.
 *
 * @param report called with the outcome of each message, and the reason if it was not sent
 */
export function createBoundedExport(exporter: SpanExporter, report: (problem?: Error) => void) {
  const spans = { sent: 0, queue_full: 0, not_sent: 0 };
  let waiting = 0;
  const counting: SpanExporter = {
    export(batch: ReadableSpan[], done: (result: ExportResult) => void) {
      waiting -= batch.length;
      exporter.export(batch, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS;
        spans[isSent ? 'sent' : 'not_sent'] += batch.length;
        report(isSent ? undefined : (result.error ?? new Error('the collector did not take it')));
        // The failure is reported here. The batch processor only needs to know that the batch has ended.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: SEND_EVERY_MS,
    // The exporter has a shorter time limit of its own. If this limit ended first, spans would count as lost that are sent.
    exportTimeoutMillis: 3 * SEND_WITHIN_MS,
  });
  /** Whether a span that begins now may be sent. Without room, requests are not recorded. */
  const hasRoom = () => waiting < MAX_WAITING;
  /** Counts a request that was not recorded because the queue was full. */
  const leftOut = () => {
    spans.queue_full += 1;
  };
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      if (!hasRoom()) return leftOut();
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  return { spans, hasRoom, leftOut, processor };
}
