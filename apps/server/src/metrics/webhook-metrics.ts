import { isDelivered, type SendOutcome } from '@gatehouse/domain/webhooks';
import { Counter, Registry } from 'prom-client';
import type { MetricsSnapshot } from './metrics.ts';

/** Counts messages to webhooks. Only the primary process sends them, as in `createMailMetrics`. */
export function createWebhookMetrics() {
  const registry = new Registry();
  const attempts = new Counter({
    name: 'gatehouse_webhook_attempts_total',
    help: 'Messages to webhooks, by result: delivered, the hundreds of another status, or the problem.',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    count: (outcome: SendOutcome) => attempts.inc({ result: resultOf(outcome) }),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}

/** A receiver chooses the status, so only the hundreds are told: the number of labels is bounded. */
function resultOf(outcome: SendOutcome): string {
  if (outcome.kind === 'failed') return outcome.problem;
  return isDelivered(outcome) ? 'delivered' : `status_${Math.floor(outcome.status / 100)}xx`;
}
