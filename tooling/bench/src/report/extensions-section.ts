import type { ExtensionCost } from '../parts/extensions/extensions.ts';
import { median, ratioInterval } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

export function extensionsSection(cost: ExtensionCost): string {
  const { low, middle, high } = ratioInterval(cost.with, cost.without);
  const difference = median(
    cost.startsWithMs.map((startMs, turn) => startMs - (cost.startsWithoutMs[turn] as number)),
  );
  return `## Extensions that are not asked

The same warm look-up, and the start of a server, with ${cost.copies} copies of the example extension and with none, in ${cost.with.length} rounds by turns. The ratio of the CPU per request is ${middle.toFixed(3)}, its 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}; medians ${figure(median(cost.without))} and ${figure(median(cost.with))} µs. ${place()}

${barsTable([
  atMost('the look-up with them, to without: upper end of the interval', 1.03, 'x', high),
  atMost('a start, for each of them', 20, 'ms', difference / cost.copies),
])}`;
}
