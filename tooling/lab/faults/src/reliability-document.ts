import { FAULTS, type Fault } from './faults.ts';
import type { FaultResult, FaultResults } from './results.ts';

const HEAD = `# Reliability

This page lists the tested faults, the conditions that must hold under each, and the measured figures. \`npm run faults -- --full\`
generates it: do not edit it. \`npm test\` runs every fault in a short size; the figures here are from full runs.

- **The first table**: *holds* means that in the last full run all tests passed and every figure was within its limit.
- **The sections** give the date, commit and machine of the run. Servers, database and clients shared the machine's cores.
  A figure without a limit only shows how much was done. If a row has two figures, the limit is for the second.
- **The labels**: R1 to R6, R8 and R9, revocation and caches. R7, commands. D, failing databases, servers and disks. O, overload.
  E, extensions. S, restarts. C, clocks. P, pages. F, generated requests. W, concurrent changes. A, the audit log. Q with a number: that
  requirement of [security.md](security.md).
- **Last acceptance**: the time from the acknowledgement of a revocation until the last request that was still accepted was
  *sent*; 0.0 ms means that no request sent after the acknowledgement was accepted. [benchmarks.md](benchmarks.md) measures
  until the response arrived.
- **Exceptions**: Four failures are not detected:

  - a machine is suspended between the check of a token and the response;
  - a failover loses the acknowledged change, as asynchronous replication allows;
  - a server can reach only an old primary;
  - a proxy in front of PostgreSQL answers queries, but drops the notifications of changes.

  [ADR 9](../adr/0009-coherent-caches.md#exceptions) explains these failures.
- **Sabotage**: a second test removes a protection, and passes only if the damage is detected. Q18, Q39 and Q40 have none.
- **Not tested**: if the tool of a fault is missing, the fault is skipped and counts as missed. The tools are haproxy (D4, D5, S1, Q36), pgbouncer (R3),
  faketime (C1), slowhttptest (O3), and root with loop devices (D3).

`;

/** Returns docs/develop/reliability.md: each fault with its last full run. */
export function reliabilityDocument(results: FaultResults): string {
  const names = Object.keys(FAULTS);
  const overview = names.map((name) => overviewRow(name, FAULTS[name] as Fault, results[name]));
  const sections = names.flatMap((name) => {
    const result = results[name];
    return result ? [section(name, FAULTS[name] as Fault, result)] : [];
  });
  return `${HEAD}| | fault | must hold | |\n|---|---|---|---|\n${overview.join('')}\n${sections.join('\n')}`;
}

function overviewRow(name: string, { title, mustHold }: Fault, result: FaultResult | undefined): string {
  return `| ${name} | ${title} | ${mustHold} | ${result ? verdict(result) : 'no full run yet'} |\n`;
}

function verdict({ tests, figures }: FaultResult): string {
  const missed = figures.filter(({ holds }) => holds === false).length;
  if (tests.failed > 0) return `**${tests.failed} of its tests fail**`;
  return missed > 0 ? `**missed: ${missed}**` : 'holds';
}

function section(
  name: string,
  { title, files, whyMissed }: Fault,
  { at, commit, machine, seconds, tests, figures }: FaultResult,
): string {
  const rows = figures.map(
    ({ name: figure, measured, bar = '', holds }) =>
      `| ${figure} | ${measured} | ${bar} | ${holds === undefined ? '' : holds ? 'yes' : '**no**'} |\n`,
  );
  const table =
    rows.length > 0 ? `\n| | measured | limit | holds |\n|---|---|---|---|\n${rows.join('')}` : '';
  const missed = figures.some(({ holds }) => holds === false);
  const reason = missed && whyMissed !== undefined ? `\nMissed because ${whyMissed}\n` : '';
  return `## ${name}: ${title}

Full run of ${at}, at commit ${commit}, in ${seconds} s, on ${machine}. Tests: ${tests.passed} passed, ${tests.failed}
failed, in ${files.map((file) => `[${file}](../../${file})`).join(', ')}.
${table}${reason}`;
}
