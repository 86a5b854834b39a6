import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { FAULTS, type Fault } from './faults.ts';
import { describeMachine } from './machine.ts';
import { type Options, parseOptions } from './options.ts';
import { reliabilityDocument } from './reliability-document.ts';
import { keepResult, readResults } from './results.ts';
import { runFault } from './run-fault.ts';

// npm run faults [-- --full [--resume]] [NAME...]: runs one fault after the other, and records each when it is done.
const DOCUMENT = new URL('../../../../docs/develop/reliability.md', import.meta.url);

async function run({ size, names, resume }: Options): Promise<number> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const before = await readResults();
  let failed = 0;
  for (const name of names) {
    if (resume && before[name]?.commit === commit) {
      console.log(`\n== ${name}: has run at this commit already`);
      continue;
    }
    const fault = FAULTS[name] as Fault;
    console.log(`\n== ${name}: ${fault.title}`);
    const at = new Date().toISOString();
    const { seconds, tests, figures } = await runFault(name, fault, size);
    failed += tests.failed;
    for (const { name: figure, measured, bar, holds } of figures) {
      // Limits on times and shares apply to full sizes: short runs measure mostly noise.
      const missed = size === 'full' && holds === false ? ' MISSED' : '';
      console.log(`${name}  ${figure}: ${measured}${bar === undefined ? '' : ` (${bar})`}${missed}`);
    }
    if (size === 'short') continue;
    const results = await keepResult(name, {
      at,
      commit,
      machine: describeMachine(),
      seconds,
      tests,
      figures,
    });
    await writeFile(DOCUMENT, reliabilityDocument(results));
  }
  return failed;
}

try {
  process.exitCode = (await run(parseOptions(process.argv.slice(2)))) === 0 ? 0 : 1;
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
