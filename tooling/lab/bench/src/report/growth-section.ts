import type { Growth } from '../parts/growth/growth.ts';
import type { InUseResult } from '../parts/growth/in-use.ts';
import { median, ratios, spread } from '../statistics.ts';
import { atMost, type Bar, barsTable } from './bars.ts';
import { figure, markdownTable, megabytes, withSpread } from './markdown.ts';
import { middle, ratioOf } from './samples.ts';

const count = (of: number) => of.toLocaleString('en');

function growthBars({ stored, inUse, heap, signIns, commands }: Growth): readonly Bar[] {
  const [smallest, largest] = [stored[0], stored.at(-1)];
  if (!smallest || !largest) return [];
  const added = signIns.during.map(({ p99Ms }, round) => p99Ms - (signIns.idle[round]?.p99Ms ?? Number.NaN));
  return [
    atMost(
      `CPU, known, ${count(largest.stored)} stored, to ${count(smallest.stored)}`,
      1.1,
      'x',
      ratioOf(largest.samples, smallest.samples),
    ),
    ...inUseBars(inUse),
    atMost('heap for a used token', 1.5, 'KB', heap.bytesPerToken / 1000),
    atMost(
      'CPU of a sign-in, to the argon2id hash in it',
      1.15,
      'x',
      spread(ratios(signIns.signInCpuMs, signIns.hashCpuMs)),
    ),
    atMost(`increase of the reads' p99 while ${signIns.clients} clients sign in`, 10, 'ms', spread(added)),
    ...commands
      .filter(({ searches }) => searches)
      .map(({ command, stored: among, seconds }) =>
        atMost(`\`gatehouse ${command}\`, ${count(among)} stored`, 0.5, 's', spread(seconds), 0.4),
      ),
  ];
}

/** The figures are for tokens chosen uniformly: otherwise most requests would use the same few tokens. */
function inUseBars(inUse: readonly InUseResult[]): readonly Bar[] {
  const [one, some, many] = inUse.filter(({ pick }) => pick !== 'zipf');
  if (!one || !some || !many) return [];
  const ratio = ratioOf(some.samples, one.samples);
  return [
    atMost(`CPU, ${count(some.tokens)} tokens uniformly, to one token`, 1.15, 'x', ratio, 1.05),
    atMost(
      `resident after ${count(many.tokens)} tokens were used once`,
      300,
      'MB',
      many.filledBytes / 1e6,
      200,
    ),
  ];
}

function growthTables({ stored, inUse, signIns, workers, commands }: Growth): string {
  return [
    markdownTable(
      ['tokens and organizations stored', 'CPU, known, µs', 'p99, ms'],
      stored.map((row) => [
        count(row.stored),
        middle(row.samples, 'cpuMicroseconds'),
        middle(row.samples, 'p99Ms'),
      ]),
    ),
    markdownTable(
      ['tokens in use', 'chosen', 'CPU, µs', 'requests/s', 'p99, ms', 'MB idle', 'MB, all used'],
      inUse.map((row) => [
        count(row.tokens),
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
    markdownTable(
      ['command, from start to exit', 's'],
      commands.map(({ command, seconds }) => [`\`gatehouse ${command}\``, withSpread(spread(seconds))]),
    ),
  ].join('\n\n');
}

export function growthSection(growth: Growth, where: string): string {
  const { signInCpuMs, hashCpuMs, bareHashCpuMs } = growth.signIns;
  return `## As the work grows

This part measures how the cost of a request depends on the stored data, the tokens in use, concurrent sign-ins and the number of processes. The tokens in use are spread over the largest database, and each reads an organization of its own. While users sign in, and with several processes, servers share all cores with the load generator.

${where}

${growthTables(growth)}

- **Memory.** The MB in the table are resident memory, which includes garbage that is not collected yet. The heap for each token is measured after a garbage collection, for ${count(growth.heap.tokens)} tokens that were used once.
- **Sign-ins.** A sign-in takes ${figure(median(signInCpuMs))} ms, ${figure(median(hashCpuMs))} ms of it in the hashing thread. In a process that only hashes, without pauses, the same argon2id hash takes ${figure(median(bareHashCpuMs))} ms, because each pause makes the next hash take longer. So the table compares a sign-in with the hash in the same sign-in.
- **Commands.** Each command runs alone, in a process of its own, on the largest database. All tokens there are older than 90 days. Nearly all of them were used in the last 90 days, and one in 10,000 was not. One in 50 is expired, and one in 50 is revoked. The last command reads one row, so most of its time is the start of a process.

${barsTable(growthBars(growth))}`;
}
