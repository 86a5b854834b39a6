import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runDrawn } from './drawn/run-drawn.ts';
import { MUTATIONS } from './mutations/index.ts';
import { MUTATIONS_PAGE, type Requirement, readRequirements } from './requirements.ts';
import { keepMutationResult, type RequirementResult, readMutationResults } from './results.ts';
import { pathOf } from './root.ts';
import { runTests } from './run-tests.ts';
import { mutationsDocument, unseen } from './table.ts';
import { createWorkingCopy, type WorkingCopy } from './working-copy.ts';

// npm run mutations [-- NUMBER...]: removes each protection of docs/develop/security and runs the tests of its row. npm
// run mutations -- --drawn COUNT --seed TEXT: draws mutations of conditions and runs the tests that cover them.

async function run(numbers: readonly string[]): Promise<number> {
  const all = readRequirements();
  const unknown = numbers.filter(
    (number) => !all.some((requirement) => String(requirement.number) === number),
  );
  if (unknown.length > 0) {
    throw new Error(`There is no security requirement ${unknown.join(', ')}: they are 1 to ${all.length}`);
  }
  const chosen = all.filter(({ number }) => numbers.length === 0 || numbers.includes(String(number)));
  using copy = createWorkingCopy();
  let misses = 0;
  for (const requirement of chosen) {
    console.log(`\n== ${requirement.number}: ${requirement.text}`);
    const mutations = await mutateAll(copy, requirement);
    keepMutationResult(requirement.number, { at: new Date().toISOString().slice(0, 10), mutations });
    for (const title of unseen(requirement, readMutationResults())) {
      misses += 1;
      console.log(`   MISSED: no mutation makes this test fail: ${title}`);
    }
    writeFileSync(pathOf(MUTATIONS_PAGE), mutationsDocument(all, readMutationResults()));
  }
  return misses;
}

async function mutateAll(
  copy: WorkingCopy,
  { number, tests }: Requirement,
): Promise<RequirementResult['mutations']> {
  const unmutated = await runTests(copy.root, tests);
  // A test that fails without a mutation proves nothing under one.
  const sound = tests.filter((_, index) => unmutated[index] === 'passed');
  for (const [index, { title }] of tests.entries())
    if (unmutated[index] !== 'passed') console.log(`   ${unmutated[index]} without a mutation: ${title}`);
  const results: RequirementResult['mutations'][number][] = [];
  for (const { change, edits } of MUTATIONS.filter(({ requirements }) => requirements.includes(number))) {
    using _mutated = copy.mutate(edits);
    const outcomes = await runTests(copy.root, sound);
    const failed = sound.filter((_, index) => outcomes[index] === 'failed').map(({ title }) => title);
    console.log(`   ${change} ${failed.length} of ${tests.length} tests fail:`);
    for (const title of failed) console.log(`      ${title}`);
    for (const [index, { title }] of sound.entries())
      if (outcomes[index] === 'not run') console.log(`      (did not run: ${title})`);
    results.push({ change, failed });
  }
  return results;
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error(`--drawn takes a number from 1 to 9999, not ${JSON.stringify(text)}`);
}

// Exiting removes the copy.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

try {
  const { values, positionals } = parseArgs({
    options: { drawn: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.drawn === undefined) process.exitCode = (await run(positionals)) === 0 ? 0 : 1;
  else await runDrawn(countOf(values.drawn), values.seed ?? '');
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
