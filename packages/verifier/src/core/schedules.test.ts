import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildWith, PLANTED, tryRules } from '../../testing/find-errors.ts';
import { anySchedule, playSchedule } from '../../testing/model/schedule.ts';
import { WRONG_RULES } from '../../testing/wrong-rules.ts';
import { RULES } from './rules.ts';

/** The error that is hardest to find is found after some 2,000 schedules on average, and most after less than 500. */
const MAX_RUNS = 30_000;

test('no schedule makes a verifier accept a token on knowledge that is older than the bound', () => {
  const { failed, counterexample, errorInstance } = tryRules(RULES, {}, { runs: 12_000, shrink: true });
  expect(failed, `${errorInstance} ${fc.stringify(counterexample)}`).toBe(false);
});

test('schedules decide from memory, remember and share', () => {
  const sum = { recalled: 0, remembered: 0, shared: 0 };
  for (const schedule of fc.sample(anySchedule, 300)) {
    const counts = playSchedule(buildWith(RULES), schedule);
    for (const what of ['recalled', 'remembered', 'shared'] as const) sum[what] += counts[what];
  }
  expect(sum.recalled).toBeGreaterThan(3000);
  expect(sum.remembered).toBeGreaterThan(300);
  expect(sum.shared).toBeGreaterThan(10);
});

test.each(Object.entries(WRONG_RULES))('a schedule finds a verifier that errs: %s', (_name, wrong) => {
  expect(tryRules({ ...RULES, ...wrong }, {}, { runs: MAX_RUNS }).failed).toBe(true);
});

test.each(PLANTED)('a schedule finds a server that errs: %s', (name) => {
  expect(tryRules(RULES, { [name]: true }, { runs: MAX_RUNS }).failed).toBe(true);
});
