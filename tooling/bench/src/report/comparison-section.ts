import { CONTESTANTS, type ContestantId } from '../contestants.ts';
import type { Sample } from '../load/measure.ts';
import type { Comparison, Score } from '../parts/comparison.ts';
import { median, medianRatio } from '../statistics.ts';
import { atLeast, atMost, type Bar, barsTable } from './bars.ts';
import { figure, markdownTable, megabytes } from './markdown.ts';

/** CPU per request of everyone, as a multiple of bare node:http's. */
export function ratiosToBare({ scores }: Comparison): readonly { id: ContestantId; ratio: number }[] {
  const bare = cpuOf(scoreOf(scores, 'bare-node-http'));
  return scores.map((score) => ({ id: score.id, ratio: medianRatio(cpuOf(score), bare) }));
}

function comparisonBars({ scores, commandMs }: Comparison): readonly Bar[] {
  const warm = scoreOf(scores, 'warm');
  const times = (one: ContestantId, other: ContestantId) =>
    medianRatio(cpuOf(scoreOf(scores, one)), cpuOf(scoreOf(scores, other)));
  return [
    atMost('CPU, known, to bare `node:http` (goal 1.4)', 1.6, 'x', times('warm', 'bare-node-http')),
    atLeast('CPU, hand-written on Fastify, to ours', 5, 'x', times('fastify', 'warm')),
    atLeast('CPU, Better Auth, to ours', 60, 'x', times('better-auth', 'warm')),
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
    comparison.scores.map(({ id, samples, idleBytes, finalBytes }, index) => {
      const middle = (of: (sample: Sample) => number) => median(samples.map(of));
      return [
        CONTESTANTS[id],
        figure(middle((sample) => sample.cpuMicroseconds)),
        figure(ratios[index]?.ratio ?? Number.NaN),
        figure(middle((sample) => sample.requestsPerSecond)),
        figure(middle((sample) => sample.p50Ms)),
        figure(middle((sample) => sample.p99Ms)),
        `${Math.round(middle((sample) => sample.busy) * 100)} %`,
        megabytes(idleBytes),
        megabytes(finalBytes),
      ];
    }),
  );
}

export function comparisonSection(comparison: Comparison, chart: string, where: string): string {
  return `## Side by side

\`GET\` one organization with a valid token, 32 connections, all on the same PostgreSQL. ${where}

![CPU per request, as a multiple of bare node:http](${chart})

${comparisonTable(comparison)}

CPU is the server process's own, as the system counts it; PostgreSQL's CPU time for its queries is not included. Where the core was not nearly 100 % busy, the load generator or the database was the limit, not the server.

${barsTable(comparisonBars(comparison))}`;
}

function scoreOf(scores: readonly Score[], id: ContestantId): Score {
  const score = scores.find((candidate) => candidate.id === id);
  if (!score) throw new Error(`${id} was not measured`);
  return score;
}

function cpuOf({ samples }: Score): readonly number[] {
  return samples.map((sample) => sample.cpuMicroseconds);
}
