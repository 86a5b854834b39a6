import { FAULTS, type Fault } from './faults.ts';
import type { FaultResult, FaultResults } from './results.ts';

const HEAD = `# Reliability

What holds when something fails, and by what it is shown. Written by \`npm run faults -- --full\`: do not edit. Each
fault has a sabotage twin, the same test with a protection taken out, which must fail; they are counted among the
tests. A short size of every fault runs in \`npm test\`.

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
  { title, whyMissed }: Fault,
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

Full run of ${at}, at commit ${commit}, in ${seconds} s, on ${machine}: ${tests.passed} tests passed, ${tests.failed} failed.
${table}${reason}`;
}
