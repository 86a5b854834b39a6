import { Counter, Registry } from 'prom-client';
import type { MetricsSnapshot } from './metrics.ts';

/** Counts messages. Only the primary process sends them, which has no other metrics if it starts workers. */
export function createMailMetrics() {
  const registry = new Registry();
  const mails = new Counter({
    name: 'gatehouse_mails_total',
    help: 'Messages for the mail server, by result: sent, or the problem.',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    count: (result: string) => mails.inc({ result }),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}
