import { CONTESTANTS, type ContestantId } from '../contestants.ts';
import type { Sample } from '../load/measure.ts';
import type { Comparison } from '../parts/comparison/comparison.ts';
import { PACED_SHARE } from '../parts/comparison/warm-pair.ts';
import type { Spread } from '../statistics.ts';
import { atLeast, atMost, type Bar, barsTable } from './bars.ts';
import { figure, markdownTable, megabytes, withSpread } from './markdown.ts';
import { busyOf, middle, ratioOf } from './samples.ts';

const PERCENT = `${PACED_SHARE * 100} %`;

/** Each contestant's CPU per request, as a multiple of bare node:http's. */
export function ratiosToBare({ scores }: Comparison): readonly { id: ContestantId; ratio: Spread }[] {
  const bare = scoreOf(scores, 'bare-node-http').samples;
  return scores.map(({ id, samples }) => ({ id, ratio: ratioOf(samples, bare) }));
}

function comparisonBars({ scores, paced, byWrk, commandMs }: Comparison): readonly Bar[] {
  const warm = scoreOf(scores, 'warm');
  const times = (one: ContestantId, other: ContestantId, among: readonly Scored[] = scores) =>
    ratioOf(scoreOf(among, one).samples, scoreOf(among, other).samples);
  const p99 = ratioOf(scoreOf(paced, 'warm').samples, scoreOf(paced, 'bare-node-http').samples, 'p99Ms');
  return [
    atMost('CPU, known, to bare `node:http`', 1.4, 'x', times('warm', 'bare-node-http'), 1.25),
    ...(byWrk
      ? [atMost('the same by `wrk`', 1.4, 'x', times('warm', 'bare-node-http', byWrk.scores), 1.25)]
      : []),
    atMost('CPU, every token new, to hand-written on Fastify', 1, 'x', times('cold', 'fastify'), 0.85),
    atMost('CPU, caches off, to hand-written on Fastify', 1, 'x', times('uncached', 'fastify'), 0.85),
    atMost(`p99, known, each at ${PERCENT} of its capacity, to bare \`node:http\``, 1.5, 'x', p99, 1.2),
    atLeast('CPU, hand-written on Fastify, to ours, known', 5, 'x', times('fastify', 'warm')),
    atLeast('CPU, Better Auth, to ours, known', 60, 'x', times('better-auth', 'warm')),
    atMost('resident when idle', 150, 'MB', warm.idleBytes / 1e6),
    atMost('ready after its start', 2, 's', warm.startMs / 1000),
    atMost('a command', 0.5, 's', commandMs / 1000),
  ];
}

function comparisonTable(comparison: Comparison): string {
  const ratios = ratiosToBare(comparison);
  return markdownTable(
    [
      ...['who', 'CPU per request, µs', 'x bare', 'requests/s'],
      ...['p50, ms', 'p99, ms', 'core busy', 'MB idle', 'MB after'],
    ],
    comparison.scores.map(({ id, samples, idleBytes, finalBytes }, index) => [
      CONTESTANTS[id],
      middle(samples, 'cpuMicroseconds'),
      withSpread((ratios[index] as (typeof ratios)[number]).ratio),
      middle(samples, 'requestsPerSecond'),
      middle(samples, 'p50Ms'),
      middle(samples, 'p99Ms'),
      busyOf(samples),
      megabytes(idleBytes),
      megabytes(finalBytes),
    ]),
  );
}

function pacedTable({ paced }: Comparison): string {
  return markdownTable(
    [`who, at ${PERCENT}`, 'sent/s', 'answered/s', 'CPU per request, µs', 'p50, ms', 'p99, ms', 'core busy'],
    paced.map(({ id, rate, samples }) => [
      CONTESTANTS[id],
      figure(rate),
      middle(samples, 'requestsPerSecond'),
      middle(samples, 'cpuMicroseconds'),
      middle(samples, 'p50Ms'),
      middle(samples, 'p99Ms'),
      busyOf(samples),
    ]),
  );
}

function wrkSentence({ byWrk }: Comparison): string {
  if (!byWrk) {
    return '**wrk** was not installed. With this load generator (`apt install wrk`), two of the measurements are repeated.';
  }
  const [bare, warm] = [scoreOf(byWrk.scores, 'bare-node-http'), scoreOf(byWrk.scores, 'warm')];
  return `**wrk** ${byWrk.version}, another load generator, repeated two of the measurements with as many connections. Bare \`node:http\` took ${middle(bare.samples, 'cpuMicroseconds')} µs of CPU per request, and Gatehouse ${middle(warm.samples, 'cpuMicroseconds')} µs.`;
}

export function comparisonSection(comparison: Comparison, chart: string, where: string): string {
  return `## Side by side

This part compares Gatehouse with other servers that do the same. Each request reads one organization, with a valid token. 32 connections send the requests, and all services use the same PostgreSQL.

${where}

![CPU per request, as a multiple of bare node:http](${chart})

${comparisonTable(comparison)}

- **CPU** is the CPU time of the server process, as the operating system counts it. PostgreSQL's CPU time is not included.
- **Core busy** is the share of the time in which the core of the server worked. If it is well below 100 %, the load generator or the database was the limit, and not the server.
- **Every token new** means that each request has a token that the server has not seen before. The server keeps the tokens of all earlier rounds in memory, as with default settings.
- ${wrkSentence(comparison)}

The next table is for a constant rate: bare \`node:http\` and Gatehouse each got ${PERCENT} of the requests that they had answered in a second before. The times include how long a request waits for one of the 32 connections.

${pacedTable(comparison)}

${barsTable(comparisonBars(comparison))}`;
}

interface Scored {
  readonly id: ContestantId;
  readonly samples: readonly Sample[];
}

function scoreOf<S extends Scored>(scores: readonly S[], id: ContestantId): S {
  const score = scores.find((candidate) => candidate.id === id);
  if (!score) throw new Error(`${id} was not measured`);
  return score;
}
