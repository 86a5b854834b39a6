import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

/** The number of spans by outcome. */
export type SpanCounts = Readonly<Record<'sent' | 'queue_full' | 'not_sent', number>>;

/** The largest number of spans that wait to be sent. A span takes about 2 KB of memory. */
export const MAX_WAITING = 2_048;
/** The largest number of spans in one message to the collector. */
const BATCH = 512;
/** How long a span waits for a batch to fill before it is sent, in milliseconds. */
const SEND_EVERY_MS = 1_000;
/** How long to wait for the collector to accept a message, in milliseconds. */
export const SEND_WITHIN_MS = 10_000;

/**
 * Sends spans in batches, and counts them. A slow or unavailable collector delays no request: the number of waiting
 * spans is limited, and further spans are dropped.
 *
 * @param report called after each message: without an argument if the message was sent, otherwise with the reason
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
        report(isSent ? undefined : (result.error ?? new Error('the collector did not accept the spans')));
        // A failure was reported above. The batch processor always gets a success, because it only needs to
        // know that the batch has ended.
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
    // The exporter itself stops waiting for the collector after `SEND_WITHIN_MS`. This time limit of the batch
    // processor must be longer, so that spans that are still being sent do not count as lost.
    exportTimeoutMillis: 3 * SEND_WITHIN_MS,
  });
  /** Whether the queue of spans has room. If not, requests are not recorded. */
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
