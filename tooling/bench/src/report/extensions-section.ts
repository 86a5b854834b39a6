import type { ExtensionCost, Start } from '../parts/extensions/extensions.ts';
import { median, ratioInterval } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

export function extensionsSection(cost: ExtensionCost): string {
  const { copies, startsWith, startsWithout } = cost;
  const { low, middle, high } = ratioInterval(cost.with, cost.without);
  /** What each extension adds to a start, as the median of the differences within each pair. */
  const added = (of: keyof Start) =>
    median(startsWith.map((start, pair) => start[of] - (startsWithout[pair] as Start)[of])) / copies;
  const medianOf = (starts: readonly Start[], of: keyof Start) =>
    figure(median(starts.map((start) => start[of])));
  const inMs = (of: keyof Start) =>
    `${medianOf(startsWithout, of)} ms without and ${medianOf(startsWith, of)} ms with them`;
  return `## Extensions that are not asked

The same warm look-up, and the start of a server, with ${copies} copies of the example extension and with none, by turns: ${cost.with.length} rounds of requests, each of several turns, and ${startsWith.length} starts of each. The ratio of the CPU per request is ${middle.toFixed(3)}, its 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}; medians ${figure(median(cost.without))} and ${figure(median(cost.with))} µs. A start takes ${inMs('startMs')}, and CPU time of ${inMs('cpuMs')}. ${place()}

${barsTable([
  atMost('the look-up with them, to without: upper end of the interval', 1.03, 'x', high),
  atMost('a start, for each of them', 20, 'ms', added('startMs')),
  atMost('CPU time of a start, for each of them', 20, 'ms', added('cpuMs')),
])}`;
}
