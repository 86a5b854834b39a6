import type { CacheReads } from '@gatehouse/cache';
import type { StartableChangeFeed } from '@gatehouse/domain/changes';
import type { Clock } from '@gatehouse/domain/time';
import type { PoolState, UsageBacklog } from '@gatehouse/postgres';
import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import type { SpanCounts } from '../tracing/bounded-export.ts';

/** The parts that are measured when the metrics are read. */
export interface MeasuredParts {
  readonly clock: Clock;
  readonly feed: Pick<StartableChangeFeed, 'heardUpTo' | 'state'>;
  readonly pool: () => PoolState;
  readonly hashing: () => { readonly active: number; readonly waiting: number };
  readonly caches: () => Readonly<Record<string, CacheReads>>;
  readonly usage: () => UsageBacklog;
  readonly spans: () => SpanCounts;
}

/** Registers a gauge or a counter for each part. */
export function registerMeasures(registry: Registry, parts: MeasuredParts): void {
  const registers = [registry];
  const secondsSince = (at: number | undefined) =>
    at === undefined ? undefined : Math.max(0, parts.clock.now() - at) / 1000;

  /** A gauge. It is absent while `read` returns undefined. By default the values of all processes are added up. */
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
    '1 while the change feed is known to report every committed change.',
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
    'Connections of the pool, by whether a request has them.',
    () => {
      const { total, idle } = parts.pool();
      return { idle, busy: total - idle };
    },
  );
  gauge(
    'gatehouse_database_waiting',
    'Callers that wait for a connection of the pool, or for their turn at one.',
    () => parts.pool().waiting,
  );
  gaugeByState(
    'gatehouse_password_hashes',
    'Password hashes, by whether they are computed or wait for their turn.',
    parts.hashing,
  );
  gauge('gatehouse_usage_waiting', 'Tokens whose use is not stored yet.', () => parts.usage().tokens);
  gauge(
    'gatehouse_usage_lag_seconds',
    'Age of the oldest use that is not stored yet.',
    () => secondsSince(parts.usage().oldest) ?? 0,
    'max',
  );
  new Counter({
    name: 'gatehouse_cache_reads_total',
    help: 'Reads through a cache: hits, misses, and reads that bypassed the cache because it may be out of date.',
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
