import { figure, markdownTable } from './markdown.ts';
import { SIXTEEN_CORES } from './sixteen-cores.ts';

/** The figures that we measured once on a large machine. They are data, and stay the same in each run. */
export function sixteenCoresSection(): string {
  const { when, before, cores, rows, revocation, neverSeen } = SIXTEEN_CORES;
  const [one, most] = neverSeen;
  return `## Workers on 16 cores

We measured the figures of this part in ${when}, before version ${before}, on a machine with ${cores.server + cores.load} cores: ${cores.server} for the server, ${cores.load} for the load. A run of the benchmark does not replace them. Compare them with each other only: the part "Several workers" of this page is measured on another machine.

${markdownTable(
  [
    'workers',
    'bare `node:http`, requests/s',
    'Gatehouse, known token, requests/s',
    'CPU, µs',
    'p99, ms',
    'sign-ins/s',
    'PSS, MB',
  ],
  rows.map((row) => [
    `${row.workers}`,
    `${figure(row.barePerSecond)}${row.isLimitOfLoad ? ' (the limit of the load)' : ''}`,
    figure(row.knownPerSecond),
    figure(row.knownMicroseconds),
    figure(row.knownP99Ms),
    figure(row.signInsPerSecond),
    row.memoryMegabytes.toLocaleString('en'),
  ]),
)}

- **Requests.** Twelve workers answered ${figure((rows.at(-1)?.knownPerSecond ?? 0) / (rows[0]?.knownPerSecond ?? 1))} times the requests of one, and a request took about the same CPU.
- **Sign-ins.** Before version ${before}, one, two and four workers had four hashing threads together, and eight workers had eight. So sign-ins did not grow from one to four workers. Since then, each process has up to four hashing threads, as long as there are cores for them ([ADR 107](../adr/0107-sign-ins-and-memory-of-workers.md)). We have not measured that on this machine.
- **Revocation.** ${figure(revocation.tokens)} tokens were revoked while ${revocation.workers} workers answered ${figure(revocation.requestsPerSecond)} requests a second. A revoked token was last accepted ${figure(revocation.lastAcceptedMs)} ms after the acknowledgement.
- **Tokens never seen.** A request with a token that a worker has not seen took ${figure(one.microseconds)} µs of CPU with one worker, and ${figure(most.microseconds)} µs with ${most.workers}. Each worker reads a token for itself, and reads that arrive together share a statement. With more workers, fewer reads arrive together at each.
- **Memory.** The server ran from its sources. A process of the bundle that \`npm start\` runs takes some 50 MB less.`;
}
