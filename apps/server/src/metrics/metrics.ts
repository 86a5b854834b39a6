import type { CacheReads } from '@gatehouse/cache';
import type { StartableChangeFeed } from '@gatehouse/domain/changes';
import type { Clock } from '@gatehouse/domain/time';
import type { PoolState, UsageBacklog } from '@gatehouse/postgres';
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { SpanCounts } from '../tracing/bounded-export.ts';
import { RequestDurations } from './request-durations.ts';

/** The values of all metrics of one process, in the form in which workers send them to the primary process. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/**
 * Creates the metrics of a process. Some are counted while requests are answered, and others are measured when the
 * metrics are read.
 */
export function createMetrics(parts: MeasuredParts) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new RequestDurations();
  registry.registerMetric(requests);
  registerMeasures(registry, parts);

  function counter(name: string, help: string, label: string) {
    const counted = new Counter({ name, help, labelNames: [label], registers: [registry] });
    return { inc: (value: string) => counted.inc({ [label]: value }) };
  }
  return {
    requests,
    signIns: counter('gatehouse_sign_ins_total', 'Sign-ins with a password, by outcome.', 'outcome'),
    providerSignIns: counter(
      'gatehouse_provider_sign_ins_total',
      'Sign-ins with an identity provider that have ended, by outcome: accepted, or the reason of the refusal.',
      'outcome',
    ),
    refusals: counter(
      'gatehouse_refusals_total',
      'Requests with a bearer token or the credential of a service that were refused, by reason.',
      'reason',
    ),
    limits: counter(
      'gatehouse_connections_closed_total',
      'Connections of clients that were closed because of a limit, by limit.',
      'limit',
    ),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}

/** Formats the metrics of several processes as one text for Prometheus. Counters of the processes are added up. */
export function exposition(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** The parts of a server whose state is measured when the metrics are read. */
export interface MeasuredParts {
  readonly clock: Clock;
  readonly feed: Pick<StartableChangeFeed, 'heardUpTo' | 'state'>;
  readonly pool: () => PoolState;
  readonly hashing: () => { readonly active: number; readonly waiting: number };
  readonly caches: () => Readonly<Record<string, CacheReads>>;
  readonly usage: () => UsageBacklog;
  readonly streams: () => number;
  readonly spans: () => SpanCounts;
}

/** Registers a gauge or a counter for each measured part. */
export function registerMeasures(registry: Registry, parts: MeasuredParts): void {
  const registers = [registry];
  const secondsSince = (at: number | undefined) =>
    at === undefined ? undefined : Math.max(0, parts.clock.now() - at) / 1000;

  /**
   * Registers a gauge. The gauge is absent while `read` returns undefined. By default, the values of all processes are
   * added up.
   */
  function gauge(name: string, help: string, read: () => number | undefined, aggregator: Aggregator = 'sum') {
    const collect = function (this: Gauge) {
      const value = read();
      if (value === undefined) this.remove();
      else this.set(value);
    };
    new Gauge({ name, help, registers, aggregator, collect });
  }

  function gaugeByState(name: string, help: string, read: () => Readonly<Record<string, number>>) {
    const collect = function (this: Gauge<'state'>) {
      for (const [state, value] of Object.entries(read())) this.set({ state }, value);
    };
    new Gauge({ name, help, labelNames: ['state'], registers, collect });
  }

  gauge(
    'gatehouse_change_feed_trusted',
    '1 while the change feed is known to report every committed change, otherwise 0.',
    () => (parts.feed.state().trusted ? 1 : 0),
    'min',
  );
  gauge(
    'gatehouse_change_feed_age_seconds',
    'Age of the change feed: time since the latest moment up to which all changes are known to be received.',
    () => secondsSince(parts.feed.heardUpTo()?.at),
    'max',
  );
  gaugeByState(
    'gatehouse_database_connections',
    'Connections to the database, by whether they are idle or in use.',
    () => {
      const { total, idle } = parts.pool();
      return { idle, busy: total - idle };
    },
  );
  gauge(
    'gatehouse_database_waiting',
    'Number of queued callers that need a connection to the database.',
    () => parts.pool().waiting,
  );
  gaugeByState(
    'gatehouse_password_hashes',
    'Password hashes, by whether they are being computed or are in the queue.',
    parts.hashing,
  );
  gauge('gatehouse_usage_waiting', 'Tokens whose use is not stored yet.', () => parts.usage().tokens);
  gauge(
    'gatehouse_usage_lag_seconds',
    'Age of the oldest use of a token that is not stored yet.',
    () => secondsSince(parts.usage().oldest) ?? 0,
    'max',
  );
  gauge('gatehouse_token_change_streams', 'Open streams of changes for services.', parts.streams);
  new Counter({
    name: 'gatehouse_cache_reads_total',
    help: 'Reads through a cache: hits, misses, and reads that bypassed the cache because its entries may be outdated.',
    labelNames: ['cache', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [cache, reads] of Object.entries(parts.caches())) {
        for (const [outcome, count] of Object.entries(reads)) this.inc({ cache, outcome }, count);
      }
    },
  });
  new Counter({
    name: 'gatehouse_trace_spans_total',
    help: 'Spans of traces: sent, dropped because the queue was full, or not accepted by the collector.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(parts.spans())) this.inc({ outcome }, count);
    },
  });
}
