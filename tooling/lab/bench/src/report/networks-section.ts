import type { ServerCost } from '../load/side-by-side.ts';
import type { NetworkCost } from '../parts/networks.ts';
import { median, ratioInterval } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

export function networksSection({ networks, before, without, with: with_ }: NetworkCost): string {
  const all = (servers: readonly ServerCost[]) => servers.map((server) => server.requestMicroseconds);
  const compared = (servers: readonly ServerCost[]) => {
    const { low, middle, high } = ratioInterval(all(servers), all(before));
    const interval = `95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
    return {
      high,
      words: `${middle.toFixed(3)} times that before (${interval}; median ${figure(median(all(servers)))} µs)`,
    };
  };
  const [plain, limited] = [compared(without), compared(with_)];
  return `## Networks of a token

This part measures the cost of networks for the look-up of a known token. It compares our server with one that decides nothing by networks.

Two servers that run the same code differ by some percent for as long as they run. So the servers were started ${before.length} times, and got load by turns. The figures are geometric means.

- **A token without networks.** The CPU time per request is ${plain.words}.
- **A token with ${networks} networks**, of which the last one has the client. The CPU time per request is ${limited.words}.

${place()}

${barsTable([atMost('the look-up of a token without networks, to before: upper end of the interval', 1.03, 'x', plain.high)])}`;
}
