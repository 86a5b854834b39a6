import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { durationOf, measureStage } from './stage-cost.mjs';

it.each([
  [0.4, '0 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [372, '6 min 12 s'],
])('%d seconds are "%s"', (seconds, text) => {
  expect(durationOf(seconds)).toBe(text);
});

it.runIf(process.platform === 'linux')('counts what the programs used that a stage started', () => {
  const cost = measureStage();
  const busy =
    'for (let cpu; !(cpu > 1_100_000); ) { const { user, system } = process.cpuUsage(); cpu = user + system; }';
  spawnSync(process.execPath, ['-e', busy]);
  expect(cost()).toMatch(/, [1-9]\d* s of CPU$/);
});
