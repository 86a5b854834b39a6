import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { ClientLimitCounter } from '../http/client-limits.ts';
import type { RequestRecorder } from '../http/request-recorder.ts';
import type { SignInCounter } from '../routes/sign-in.ts';
import { type MeasuredParts, registerMeasures } from './measures.ts';
import { RequestDurations } from './request-durations.ts';

/** What one process has counted and measured, as it travels between processes. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics: counted while requests are answered, and measured when they are read. */
interface Metrics {
  readonly requests: RequestRecorder;
  readonly signIns: SignInCounter;
  /** By why a bearer token, or what it asked for, was refused. */
  readonly refusals: { inc(reason: string): void };
  /** By the limit for which a connection was closed. */
  readonly limits: ClientLimitCounter;
  snapshot(): Promise<MetricsSnapshot>;
}

export function createMetrics(parts: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new RequestDurations();
  registry.registerMetric(requests);
  const signIns = new Counter({
    name: 'gatehouse_sign_ins_total',
    help: 'Sign-ins with credentials, by how they went.',
    labelNames: ['outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'gatehouse_refusals_total',
    help: 'Requests with a bearer token that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const limits = new Counter({
    name: 'gatehouse_connections_closed_total',
    help: 'Connections of clients that were closed for a limit, by limit.',
    labelNames: ['limit'],
    registers,
  });
  registerMeasures(registry, parts);
  return {
    requests,
    signIns: { inc: (outcome) => signIns.inc({ outcome }) },
    refusals: { inc: (reason) => refusals.inc({ reason }) },
    limits: { inc: (limit) => limits.inc({ limit }) },
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** Several processes' metrics as one text, for Prometheus: counts are added up. */
export function exposition(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}
