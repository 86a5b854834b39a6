import type { Sample } from '../load/measure.ts';
import type { ReactionCost } from '../parts/reactions/reactions.ts';
import { atLeast, atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { markdownTable } from './markdown.ts';
import { busyOf, middle, ratioOf } from './samples.ts';

export function reactionsSection(cost: ReactionCost): string {
  const { quiet, busy, perMinute, roundSeconds, written, delivered } = cost;
  const row = (what: string, samples: readonly Sample[]) => [
    what,
    middle(samples, 'requestsPerSecond'),
    middle(samples, 'p50Ms'),
    middle(samples, 'p99Ms'),
    middle(samples, 'cpuMicroseconds'),
    busyOf(samples),
  ];
  const count = (value: number) => value.toLocaleString('en');
  return `## Reactions to audit events

This part measures the look-up of a known token while the same server delivers ${count(perMinute)} audit events a minute to another process, and while it delivers none. Events are sealed every ten seconds and delivered at once then, so a round of ${roundSeconds} s has one such burst. There were ${quiet.length} rounds, each first without events and then with them. ${count(written)} events were written, and ${count(delivered)} deliveries arrived.

${place()}

${markdownTable(
  ['the server', 'requests/s', 'p50, ms', 'p99, ms', 'CPU per request, µs', 'core busy'],
  [row('delivers nothing', quiet), row(`delivers ${count(perMinute)} events a minute`, busy)],
)}

${barsTable([
  atLeast('requests/s, with events, to without', 0.9, 'x', ratioOf(busy, quiet, 'requestsPerSecond')),
  atMost('p99, with events, to without', 1.5, 'x', ratioOf(busy, quiet, 'p99Ms')),
])}`;
}
