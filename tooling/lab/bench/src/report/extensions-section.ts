import type { ServerCost } from '../load/side-by-side.ts';
import type { ExtensionCost } from '../parts/extensions/extensions.ts';
import { median, ratioInterval, spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

export function extensionsSection({ copies, without, with: with_ }: ExtensionCost): string {
  const all = (servers: readonly ServerCost[], of: keyof ServerCost) => servers.map((server) => server[of]);
  const { low, middle, high } = ratioInterval(
    all(with_, 'requestMicroseconds'),
    all(without, 'requestMicroseconds'),
  );
  /** The cost that each extension adds to a start: the differences within each pair. */
  const added = (of: keyof ServerCost) =>
    spread(with_.map((server, pair) => (server[of] - (without[pair] as ServerCost)[of]) / copies));
  const medians = (of: keyof ServerCost, unit: string) =>
    `${figure(median(all(without, of)))} ${unit} without and ${figure(median(all(with_, of)))} ${unit} with them`;
  return `## Extensions that are not used

This part measures what extensions cost that no request uses. It compares servers with ${copies} copies of the example extension and servers with none.

Two servers that run the same code differ by some percent for as long as they run. So ${with_.length} pairs of servers were started, and the two servers of a pair got load by turns.

- **Requests.** With the extensions, the CPU time per request is ${middle.toFixed(3)} times that without (geometric mean of the pairs; 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}). The medians are ${medians('requestMicroseconds', 'µs')}.
- **Start.** A start takes ${medians('startMs', 'ms')}. Its CPU time is ${medians('startCpuMs', 'ms')}.

${place()}

${barsTable([
  atMost('the look-up with them, to without: upper end of the interval', 1.03, 'x', high),
  atMost('a start, for each of them', 20, 'ms', added('startMs')),
  atMost('CPU time of a start, for each of them', 20, 'ms', added('startCpuMs')),
])}`;
}
