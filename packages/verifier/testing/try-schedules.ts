/**
 * Plays random schedules against the core: `node packages/verifier/testing/try-schedules.ts RUNS`. With `--planted`, it plays them
 * against each wrong judgement as well, and says after how many schedules each is found. `--seed N` repeats a run.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { RULES } from '../src/core/rules.ts';
import { PLANTED, tryRules } from './find-errors.ts';
import { WRONG_RULES } from './wrong-rules.ts';

const { values, positionals } = parseArgs({
  options: { planted: { type: 'boolean' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const runs = Number(positionals[0] ?? 100_000);
const seed = values.seed === undefined ? undefined : Number(values.seed);

function report(
  name: string,
  { failed, numRuns, seed, counterexample, errorInstance }: ReturnType<typeof tryRules>,
): void {
  process.stdout.write(
    `${failed ? 'found after' : 'nothing in'} ${numRuns} schedules (seed ${seed}): ${name}\n`,
  );
  if (failed && name === 'intact')
    process.stdout.write(`${errorInstance}\n${fc.stringify(counterexample)}\n`);
}

const intact = tryRules(RULES, {}, { runs, seed });
report('intact', intact);
process.exitCode = intact.failed ? 1 : 0;
if (values.planted) {
  for (const [name, wrong] of Object.entries(WRONG_RULES))
    report(name, tryRules({ ...RULES, ...wrong }, {}, { runs, seed }));
  for (const name of PLANTED) report(name, tryRules(RULES, { [name]: true }, { runs, seed }));
}
