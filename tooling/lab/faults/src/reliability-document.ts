import { FAULTS, type Fault } from './faults.ts';
import type { FaultResult, FaultResults } from './results.ts';

const HEAD = `# Reliability

A *fault* is something that goes wrong: a killed server, a full disk, a flood of requests. This page lists the faults under which Gatehouse
is tested, the conditions that must hold under each, and the figures that were measured.

\`npm run faults -- --full\` runs the tests in full size and generates this page: do not edit it. \`npm test -- --faults\` runs every fault in
a short size.

The first table lists all faults. The result *holds* means that in the last full run of a fault all its tests passed and every figure was
within its limit. *Missed* counts the figures beyond their limits.

Below the table, each fault has a section with its last full run. A figure without a limit only shows how much was done. If a row has two
figures, the limit is for the second. Servers, database and clients shared the cores of the machine.

The letter of a fault's label says what the fault is about:
- **R**: revocation and caches. **R7** is about commands.
- **D**: databases, servers and disks that fail. **W**: concurrent writes.
- **O**: overload. **E**: extensions. **S**: restarts of servers. **U**: upgrades.
- **C**: clocks. **P**: pages. **F**: generated requests. **A**: the audit log.
- **V**: other services that verify tokens ([ADR 80](../adr/0080-a-stream-that-proves-it-is-complete.md)).
- **Q** with a number: the requirement with that number in [security.md](security.md).

The *last acceptance* of a revoked token is the last request that was accepted after the acknowledgement of the revocation. Its time is the
time from the acknowledgement until the request was *sent*. 0.0 ms means that no request was accepted that was sent after the
acknowledgement. [benchmarks.md](benchmarks.md) measures until the response arrived. In the faults with a V, it is the time until the
verifier's decision.

The faults V1 to V8 ran in full size once more on 2026-11-27, at commit e12ed035, while nothing else ran on the machine. The last decision
as before came at most 697 ms after the acknowledgement in V1, 779 in V2, 0 in V3, 954 in V4, 727 in V5 (of 222 revocations), 962 in V6,
950 in V7 (1,004 of 1,400 with a clock that is 5 % slow) and 640 in V8. No valid token was refused, and each sabotage was detected.

Most faults have a *sabotage* test as well. It removes the protection against the fault, and passes only if the damage is then detected. Q18,
Q39 and Q40 have none.

If a tool is missing, its faults are skipped and count as missed. The tools are haproxy (D4, D5, S1, V5, Q36), Patroni with etcd and
PostgreSQL 15 (D7, D8), pgbouncer (R3), faketime (C1), slowhttptest (O3), and root with loop devices (D3).

Some failures let a server accept a revoked token for longer, and are not tested, because servers cannot notice them. Four failures are not
detected:
- a machine is suspended between the check of a token and the response;
- a failover loses the acknowledged change, as asynchronous replication allows;
- a server can reach only an old primary;
- a proxy in front of PostgreSQL answers queries, but drops the notifications of changes.

[ADR 9](../adr/0009-coherent-caches.md#exceptions) explains each of these failures.

`;

/** Returns docs/develop/reliability.md: each fault with its last full run. */
export function reliabilityDocument(results: FaultResults): string {
  const names = Object.keys(FAULTS);
  const overview = names.map((name) => overviewRow(name, FAULTS[name] as Fault, results[name]));
  const sections = names.flatMap((name) => {
    const result = results[name];
    return result ? [section(name, FAULTS[name] as Fault, result)] : [];
  });
  return `${HEAD}| label | fault | must hold | result |\n|---|---|---|---|\n${overview.join('')}\n${sections.join('\n')}`;
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
  { title, mustHold, files, whyMissed }: Fault,
  { at, commit, machine, seconds, tests, figures }: FaultResult,
): string {
  const rows = figures.map(
    ({ name: figure, measured, bar = '', holds }) =>
      `| ${figure} | ${measured} | ${bar} | ${holds === undefined ? '' : holds ? 'yes' : '**no**'} |\n`,
  );
  const table =
    rows.length > 0 ? `\n| figure | measured | limit | holds |\n|---|---|---|---|\n${rows.join('')}` : '';
  const missed = figures.some(({ holds }) => holds === false);
  const reason = missed && whyMissed !== undefined ? `\nA limit was missed because ${whyMissed}\n` : '';
  return `## ${name}: ${title}

**Must hold:** ${mustHold}

The last full run of this fault was on ${at.slice(0, 10)}, at commit ${commit}. It took ${seconds} s, on ${machine}.
${tests.passed} of its tests passed, and ${tests.failed} failed: ${files.map((file) => `[${file}](../../${file})`).join(', ')}.
${table}${reason}`;
}
