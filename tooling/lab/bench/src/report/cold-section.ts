import type { Cold, ColdResult } from '../parts/cold.ts';
import { median, type Spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import type { ChartRow } from './chart.ts';
import { markdownTable, withSpread } from './markdown.ts';
import { busyOf, middle, ratioOf } from './samples.ts';

const WHO = {
  gatehouse: 'Gatehouse',
  fastify: 'hand-written on Fastify',
  'better-auth': 'Better Auth',
} as const;

const count = (stored: number) => stored.toLocaleString('en');

function labelOf({ who, stored, workers }: ColdResult): string {
  return [
    WHO[who],
    ...(stored === undefined ? [] : [`${count(stored)} stored`]),
    ...(workers > 1 ? [`${workers} workers`] : []),
  ].join(', ');
}

/** CPU per request in microseconds. */
export function coldRows({ results }: Cold): readonly ChartRow[] {
  return results.map((result) => ({
    label: labelOf(result),
    value: median(result.samples.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    ours: result.who === 'gatehouse',
  }));
}

/** The ratio to the hand-written service with the same number of stored tokens. */
function ratioToByHand({ results }: Cold, { stored, samples }: ColdResult): Spread | undefined {
  const byHand = results.find((other) => other.who === 'fastify' && other.stored === stored);
  return byHand && ratioOf(samples, byHand.samples);
}

function coldBars(cold: Cold) {
  return cold.results
    .filter(({ who, workers }) => who === 'gatehouse' && workers === 1)
    .flatMap((result) => {
      const ratio = ratioToByHand(cold, result);
      const what = `CPU, ${count(result.stored ?? 0)} stored, to hand-written on Fastify`;
      return ratio ? [atMost(what, 1, 'x', ratio, 0.85)] : [];
    });
}

function workersSentence({ cores, tooMany }: Cold): string {
  const shared =
    'A server with several worker processes shares all cores with the load generator and PostgreSQL. So compare its CPU with that of other rows, but not its requests/s.';
  if (tooMany.length === 0) return shared;
  return `${shared} This machine has ${cores} cores: **${tooMany.join(' and ')} workers were not measured**.`;
}

export function coldSection(cold: Cold, chart: string, where: string): string {
  return `## Tokens never seen

In this part, every request has a token that the server has never seen, so the server reads it from the database. 32 connections send the requests.

- **Stored tokens.** The table names how many tokens are stored besides the tokens of the requests. With Gatehouse and the hand-written service, each token reads an organization of its own, as long as there are enough organizations.
- **Tokens of each service.** Each service gets tokens of its own. Better Auth caches nothing between requests, so it gets the same token each time.
- **Caches.** Gatehouse keeps the tokens of all earlier rounds in memory, as with default settings.
- **CPU.** The CPU time is counted until the last response. Within a second after that, Gatehouse stores when each token was last used. This takes 3 to 6 % more CPU, which the table does not include.
- **Workers.** ${workersSentence(cold)}

${where}

![CPU per request with a token never seen, in microseconds](${chart})

${markdownTable(
  ['who', 'CPU per request, µs', 'x hand-written', 'requests/s', 'p50, ms', 'p99, ms', 'cores busy'],
  cold.results.map((result) => {
    const ratio = ratioToByHand(cold, result);
    return [
      labelOf(result),
      middle(result.samples, 'cpuMicroseconds'),
      ratio ? withSpread(ratio) : '',
      middle(result.samples, 'requestsPerSecond'),
      middle(result.samples, 'p50Ms'),
      middle(result.samples, 'p99Ms'),
      busyOf(result.samples),
    ];
  }),
)}

${barsTable(coldBars(cold))}`;
}
