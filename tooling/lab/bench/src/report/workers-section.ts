import type { WorkersGrowth, WorkersRow } from '../parts/workers/workers.ts';
import { percentile } from '../statistics.ts';
import { place } from './machine.ts';
import { figure, markdownTable, megabytes } from './markdown.ts';
import { middle } from './samples.ts';

function workersTable(rows: readonly WorkersRow[]): string {
  return markdownTable(
    [
      'workers',
      'bare `node:http`, requests/s',
      'Gatehouse, known token, requests/s',
      'CPU, µs',
      'p99, ms',
      'CPU, token never seen, µs',
      'sign-ins/s',
      'hashing threads',
      'PSS, MB',
      'after sign-ins',
    ],
    rows.map((row) => [
      `${row.workers}${row.isShared ? ' (shared)' : ''}`,
      middle(row.bare, 'requestsPerSecond'),
      middle(row.known, 'requestsPerSecond'),
      middle(row.known, 'cpuMicroseconds'),
      middle(row.known, 'p99Ms'),
      middle(row.neverSeen, 'cpuMicroseconds'),
      middle(row.signIns, 'requestsPerSecond'),
      `${row.hashingThreads}`,
      megabytes(row.memoryBytes),
      megabytes(row.memoryAfterSignInsBytes),
    ]),
  );
}

/** Says which rows are missing, and which of them have a server without cores of its own. */
function remarks({ rows, cores, tooMany }: WorkersGrowth): readonly string[] {
  const shared = rows.filter(({ isShared }) => isShared).map(({ workers }) => workers);
  return [
    tooMany.length > 0
      ? `- **Left out.** This machine has ${cores} cores, so ${listed(tooMany)} workers were not measured.`
      : '',
    shared.length > 0
      ? `- **Shared.** With ${listed(shared)} workers, the server shared all cores with the load and the database. So compare its CPU and memory with other rows, but not its requests/s and sign-ins/s.`
      : '',
  ].filter((line) => line !== '');
}

const listed = (counts: readonly number[]) => new Intl.ListFormat('en').format(counts.map(String));

export function workersSection(growth: WorkersGrowth, othersShare: number): string {
  const { revocation } = growth;
  const late = revocation.delaysMs.filter((delayMs) => delayMs > 0).length;
  return `## Several workers

This part measures a server with \`WORKERS\` processes. The server runs from its bundle. A quarter of the cores is for the load generator, with one process for each, and for the database. The server has the others. The reference is bare \`node:http\` with \`node:cluster\` and \`reusePort\`, which gives the same answer.

${place(othersShare)} A figure is the median over the rounds, with the range of half of the rounds in brackets.

${workersTable(growth.rows)}

${[
  ...remarks(growth),
  '- **Token never seen.** Each request has a token that the server has not seen before, over 32 connections in each row. Reads that arrive together at a worker share a statement.',
  '- **Sign-ins.** 64 clients sign in 100 users, each from an address of its own. A hashing thread is started when the first sign-in needs it.',
  '- **PSS** is the memory of all processes of the server, with shared pages counted once: after the requests with the known token, and after the sign-ins.',
].join('\n')}

${figure(revocation.delaysMs.length)} tokens were revoked, one after the other, while ${revocation.workers} workers answered ${figure(revocation.requestsPerSecond)} other requests a second and each worker received requests with the token. ${figure(late)} of them were accepted after the acknowledgement of the revocation, for at most ${figure(percentile(revocation.delaysMs, 1))} ms.`;
}
