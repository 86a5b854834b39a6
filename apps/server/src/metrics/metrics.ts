import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { type MeasuredParts, registerMeasures } from './measures.ts';
import { RequestDurations } from './request-durations.ts';

/** The counts and measures of one process, in the form in which processes exchange them. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics: counted while requests are answered, and measured when they are read. */
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
    signIns: counter('gatehouse_sign_ins_total', 'Sign-ins with credentials, by how they went.', 'outcome'),
    refusals: counter(
      'gatehouse_refusals_total',
      'Requests with a bearer token that were refused, by reason.',
      'reason',
    ),
    limits: counter(
      'gatehouse_connections_closed_total',
      'Connections of clients that were closed for a limit, by limit.',
      'limit',
    ),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}

/** Formats the metrics of several processes as one text for Prometheus; counts are added up. */
export function exposition(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}
