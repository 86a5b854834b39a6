import type { DeliveryOutcome, ReactionName, ReactionState } from '@gatehouse/domain/reactions';
import type { Instant } from '@gatehouse/domain/time';
import { Counter, Gauge, Registry } from 'prom-client';
import type { MetricsSnapshot } from './metrics.ts';

/** How far a reaction is, and since when an event waits for it; null if none waits. */
interface MeasuredReaction extends Pick<ReactionState, 'name' | 'waiting' | 'parked'> {
  readonly since: Instant | null;
}

export type ReactionMetrics = ReturnType<typeof createReactionMetrics>;

/** Creates the metrics of reactions. Every server measures all reactions, so that their values can be compared. */
export function createReactionMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['reaction'], registers, aggregator: 'max' });
  const waiting = gauge('gatehouse_reaction_waiting', 'Events that wait for a reaction to handle them.');
  const seconds = gauge(
    'gatehouse_reaction_waiting_seconds',
    'Time that the oldest event which waits for a reaction has waited.',
  );
  const parked = gauge('gatehouse_reaction_parked', 'Events that a reaction gave up after the last try.');
  const deliveries = new Counter({
    name: 'gatehouse_reaction_deliveries_total',
    help: 'Tries of reactions to handle an event, by result: done, failed, parked or dropped.',
    labelNames: ['reaction', 'result'],
    registers,
  });
  return {
    /** Counts a try of a handler. */
    tried: (reaction: ReactionName, result: DeliveryOutcome) => deliveries.inc({ reaction, result }),

    /** Replaces the values of the gauges. */
    show(states: readonly MeasuredReaction[], now: Instant): void {
      for (const each of [waiting, seconds, parked]) each.reset();
      for (const { name: reaction, since, ...state } of states) {
        waiting.set({ reaction }, state.waiting);
        seconds.set({ reaction }, since === null ? 0 : Math.max(0, now - since) / 1000);
        parked.set({ reaction }, state.parked);
      }
    },

    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}
