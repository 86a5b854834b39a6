import type { Fleet, FleetResult } from '../parts/fleet/fleet.ts';
import { percentile, spread } from '../statistics.ts';
import type { ChartRow } from './chart.ts';
import { place } from './machine.ts';
import { figure, markdownTable, withSpread } from './markdown.ts';

const named = (nodes: number) => `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;

/** The delay of a revocation at the slowest node, in milliseconds. */
export function fleetRows({ results }: Fleet): readonly ChartRow[] {
  return results.flatMap(({ nodes, delaysMs }) => [
    { label: `${named(nodes)}, half of them`, value: percentile(delaysMs, 0.5), ours: false },
    { label: `${named(nodes)}, 99 %`, value: percentile(delaysMs, 0.99), ours: true },
  ]);
}

/**
 * The cost of one more node for the database: the difference between the smallest fleet and the largest, for each node.
 */
export function costPerNode({ results }: Fleet) {
  const [first, last] = [results[0], results.at(-1)];
  if (!first || !last || first === last) return undefined;
  const more = last.nodes - first.nodes;
  return {
    idleMs: ((last.idleShare - first.idleShare) / more) * 1000,
    usageMs: ((last.usageShare - last.idleShare - (first.usageShare - first.idleShare)) / more) * 1000,
    revocationMicroseconds: ((perRevocation(last) - perRevocation(first)) / more) * 1e6,
  };
}

/** The database's CPU for a revocation, in seconds, without the CPU for nodes that only listen. */
function perRevocation({ paced, idleShare }: FleetResult): number {
  return (paced.cpuSeconds - idleShare * paced.seconds) / paced.revocations;
}

export function fleetSection(fleet: Fleet, chart: string): string {
  const { results, writers, usesPerNode, pacedPerSecond, emptyShare } = fleet;
  const largest = results.at(-1)?.nodes ?? 0;
  return `## A fleet

This part measures what up to ${named(largest)} cost the database that they share:

- **Nodes.** A node has the parts of a server that use the database even without requests: a change feed on its own connection, a connection pool, and a recorder that stores the use of ${usesPerNode} tokens every second. In the measurement, many nodes share a process. The database has a core to itself.
- **Revocations.** Other processes revoke tokens by the domain's use case: ${pacedPerSecond} a second at most, each after all nodes received the previous one. The first revocations run while nodes only listen, the next while nodes also store usage. The last come from ${writers} writers without a pause.

${place()}

![Time until the slowest node receives a revocation](${chart})

The first table shows the time from the acknowledgement of a revocation until the slowest node, a server, received it, while the nodes also store uses of tokens. *Feeds lost* counts how often a node could have missed a change meanwhile:

${markdownTable(
  ['nodes', 'revocations', 'p50, ms', 'p99, ms', 'longest, ms', 'feeds lost'],
  results.map(({ nodes, delaysMs, losses }) => [
    figure(nodes),
    figure(delaysMs.length),
    figure(percentile(delaysMs, 0.5)),
    figure(percentile(delaysMs, 0.99)),
    figure(percentile(delaysMs, 1)),
    figure(losses.paced),
  ]),
)}

The second table shows the share of one core that the database's processes use, and how many revocations the database commits in a second. Each revocation notifies all nodes:

${markdownTable(
  [
    ...['nodes', 'they only listen', 'they store usage, too', 'CPU of a revocation, ms'],
    ...['commits/s', 'core busy then', 'feeds lost then'],
  ],
  results.map((result) => [
    figure(result.nodes),
    percent(result.idleShare),
    percent(result.usageShare),
    figure(perRevocation(result) * 1000),
    withSpread(spread(result.commitsPerSecond)),
    percent(spread(result.commitsBusy).middle),
    figure(result.losses.unpaced),
  ]),
)}

${costSentence(fleet)} Without any node, the database uses ${percent(emptyShare)} of a core.

The figures of this part have no limits. [scaling-limits.md](../operate/scaling-limits.md) uses them to compute how many nodes one database can serve.`;
}

function costSentence(fleet: Fleet): string {
  const cost = costPerNode(fleet);
  if (!cost) return '';
  const { idleMs, usageMs, revocationMicroseconds } = cost;
  return `One more node costs the database ${figure(idleMs)} ms of CPU a second for its heartbeats, ${figure(usageMs)} ms a second for its usage, and ${figure(revocationMicroseconds)} µs for each change that is notified.`;
}

const percent = (share: number) => `${figure(share * 100)} %`;
