import { FAULTS, type Fault } from './faults.ts';
import type { FaultResult, FaultResults } from './results.ts';

const HEAD = `# Reliability

What holds when something fails, what was measured, and by which tests. Printed from the results of
\`npm run faults -- --full\`: do not edit. \`npm test\` runs every fault in a short size; the figures here are of full runs.

- **The first table**: *holds* means that in the last full run all tests passed and no figure missed its bar.
- **The sections** say when, at which commit and on which machine a fault was tested. Servers, database and clients shared
  its cores. A figure without a bar only says how much was done. Of two figures in a row, the bar is for the last.
- **The names** are labels. R1 to R6: revocation and caches. R7: commands. D: databases, servers and disks that fail.
  O: overload. S: restarts. C: clocks. F: generated requests. W: changes at the same moment. Q with a number: that
  requirement of [security.md](security.md).
- **Last acceptance**: from the acknowledgement of a revocation until the last request was *sent* that was still
  accepted. 0.0 ms: none that was sent after it. [benchmarks.md](benchmarks.md) counts until the answer arrived.
- **Sabotage**: a second test takes a protection out, and passes only if the damage is found. Q18, Q39 and Q40 have none.
- **Not tested**: without its tool a fault is skipped, and counts as missed. Tools are haproxy (S1, Q36), pgbouncer (R3),
  faketime (C1), slowhttptest (O3), and root with loop devices (D3).

`;

/** docs/reliability.md: each fault with its last full run. */
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
  const table = rows.length > 0 ? `\n| | measured | bar | holds |\n|---|---|---|---|\n${rows.join('')}` : '';
  const missed = figures.some(({ holds }) => holds === false);
  const reason = missed && whyMissed !== undefined ? `\nMissed because ${whyMissed}\n` : '';
  return `## ${name}: ${title}

Full run of ${at}, at commit ${commit}, in ${seconds} s, on ${machine}. Tests: ${tests.passed} passed, ${tests.failed}
failed, in ${files.map((file) => `[${file}](../${file})`).join(', ')}.
${table}${reason}`;
}
