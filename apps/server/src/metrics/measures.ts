import type { CacheReads } from '@gatehouse/cache';
import type { HeardUpTo } from '@gatehouse/domain/changes';
import type { Clock } from '@gatehouse/domain/time';
import type { WorkLoad } from '@gatehouse/password-argon2';
import type { PoolState, UsageBacklog } from '@gatehouse/postgres';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The parts that are measured when the metrics are read. */
export interface MeasuredParts {
  readonly clock: Clock;
  readonly feed: { heardUpTo(): HeardUpTo | undefined };
  readonly pool: () => PoolState;
  readonly hashing: () => WorkLoad;
  readonly caches: () => Readonly<Record<string, CacheReads>>;
  readonly usage: () => UsageBacklog;
}

/** Registers a gauge or a counter for each thing that can say how it is. */
export function registerMeasures(registry: Registry, parts: MeasuredParts): void {
  const registers = [registry];
  new Gauge({
    name: 'gatehouse_change_feed_trusted',
    help: '1 while every committed change is known to be heard; else nothing is remembered.',
    registers,
    aggregator: 'min',
    collect() {
      this.set(parts.feed.heardUpTo() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'gatehouse_change_feed_age_seconds',
    help: 'How long ago the moment is up to which every change is known to be heard.',
    registers,
    aggregator: 'max',
    collect() {
      const heard = parts.feed.heardUpTo();
      if (heard) this.set(Math.max(0, parts.clock.now() - heard.at) / 1000);
      else this.remove();
    },
  });
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections of the pool, by whether a request has them.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = parts.pool();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, total - idle);
    },
  });
  new Gauge({
    name: 'gatehouse_database_waiting',
    help: 'Callers that wait for a connection of the pool, or for their turn at one.',
    registers,
    collect() {
      this.set(parts.pool().waiting);
    },
  });
  new Gauge({
    name: 'gatehouse_password_hashes',
    help: 'Password hashes, by whether they are computed or wait for their turn.',
    labelNames: ['state'],
    registers,
    collect() {
      const { active, waiting } = parts.hashing();
      this.set({ state: 'active' }, active);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'gatehouse_usage_waiting',
    help: 'Tokens whose use is not stored yet.',
    registers,
    collect() {
      this.set(parts.usage().tokens);
    },
  });
  new Gauge({
    name: 'gatehouse_usage_lag_seconds',
    help: 'How long ago the oldest use is that is not stored yet.',
    registers,
    aggregator: 'max',
    collect() {
      const { oldest } = parts.usage();
      this.set(oldest === undefined ? 0 : Math.max(0, parts.clock.now() - oldest) / 1000);
    },
  });
  new Counter({
    name: 'gatehouse_cache_reads_total',
    help: 'Reads through a cache, by whether it had the answer, had not, or might not be trusted.',
    labelNames: ['cache', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [cache, reads] of Object.entries(parts.caches())) {
        for (const [outcome, count] of Object.entries(reads)) this.inc({ cache, outcome }, count);
      }
    },
  });
}
