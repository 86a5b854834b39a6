import type { Sample } from '../load/measure.ts';
import type { Growth } from '../parts/growth/growth.ts';
import { median, medianRatio } from '../statistics.ts';
import { atMost, type Bar, barsTable } from './bars.ts';
import { figure, markdownTable, megabytes } from './markdown.ts';

const cpuOf = (samples: readonly Sample[]) => samples.map((sample) => sample.cpuMicroseconds);
/** The median of a measurement over the rounds. */
const middle = (samples: readonly Sample[], of: keyof Sample) =>
  figure(median(samples.map((sample) => sample[of])));

function growthBars({ stored, heap, signIns }: Growth): readonly Bar[] {
  const [smallest, largest] = [stored[0], stored.at(-1)];
  if (!smallest || !largest) return [];
  const added = signIns.during.map(({ p99Ms }, round) => p99Ms - (signIns.idle[round]?.p99Ms ?? Number.NaN));
  return [
    atMost(
      `CPU, known, ${largest.stored.toLocaleString('en')} stored, to ${smallest.stored.toLocaleString('en')}`,
      1.1,
      'x',
      medianRatio(cpuOf(largest.known), cpuOf(smallest.known)),
    ),
    atMost('heap for a used token', 1.5, 'KB', heap.bytesPerToken / 1000),
    atMost(
      'CPU of a sign-in, to a bare argon2id hash',
      1.15,
      'x',
      medianRatio(signIns.signInCpuMs, signIns.hashCpuMs),
    ),
    atMost(`increase of the reads' p99 while ${signIns.clients} clients sign in`, 10, 'ms', median(added)),
  ];
}

function growthTables({ stored, inUse, signIns, workers }: Growth): string {
  return [
    markdownTable(
      [
        ...['tokens and organizations stored', 'CPU, known, µs', 'CPU, token new, µs'],
        ...['p99, known, ms', 'p99, new, ms'],
      ],
      stored.map((row) => [
        row.stored.toLocaleString('en'),
        middle(row.known, 'cpuMicroseconds'),
        middle(row.fresh, 'cpuMicroseconds'),
        middle(row.known, 'p99Ms'),
        middle(row.fresh, 'p99Ms'),
      ]),
    ),
    markdownTable(
      ['tokens in use', 'chosen', 'CPU, µs', 'requests/s', 'p99, ms', 'MB idle', 'MB, all used'],
      inUse.map((row) => [
        row.tokens.toLocaleString('en'),
        { 'in-order': 'the one', uniform: 'uniformly', zipf: 'by Zipf’s law' }[row.pick],
        middle(row.samples, 'cpuMicroseconds'),
        middle(row.samples, 'requestsPerSecond'),
        middle(row.samples, 'p99Ms'),
        megabytes(row.idleBytes),
        megabytes(row.filledBytes),
      ]),
    ),
    markdownTable(
      ['reads, 500 a second', 'p50, ms', 'p99, ms', 'longest, ms'],
      [
        ['no sign-ins', signIns.idle] as const,
        [`while ${signIns.clients} clients sign in`, signIns.during] as const,
      ].map(([when, samples]) => [
        when,
        middle(samples, 'p50Ms'),
        middle(samples, 'p99Ms'),
        middle(samples, 'maxMs'),
      ]),
    ),
    markdownTable(
      ['`WORKERS`', 'processes', 'CPU, µs', 'requests/s', 'p99, ms'],
      workers.map((row) => [
        `${row.workers}`,
        `${row.processes}`,
        middle(row.samples, 'cpuMicroseconds'),
        middle(row.samples, 'requestsPerSecond'),
        middle(row.samples, 'p99Ms'),
      ]),
    ),
  ].join('\n\n');
}

export function growthSection(growth: Growth, where: string): string {
  const { signInCpuMs, hashCpuMs } = growth.signIns;
  return `## As the work grows

The tokens in use are spread over the largest of the databases, each with its own organization. Sign-ins and several processes share all cores with the load generator. ${where}

${growthTables(growth)}

Resident memory includes garbage that is not collected yet; the heap for each token below is what remains after a garbage collection, for ${growth.heap.tokens.toLocaleString('en')} tokens that were used once. A sign-in computes ${figure(median(signInCpuMs))} ms, and a bare argon2id hash ${figure(median(hashCpuMs))} ms.

${barsTable(growthBars(growth))}`;
}
