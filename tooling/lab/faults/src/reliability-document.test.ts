import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { reliabilityDocument } from './reliability-document.ts';
import type { FaultResult } from './results.ts';

const RESULT: FaultResult = {
  at: '2026-01-01T00:00:00.000Z',
  commit: 'abc1234',
  machine: '2 cores of a processor',
  seconds: 7,
  tests: { passed: 3, failed: 0 },
  figures: [{ name: 'latest acceptance', measured: '6.5 ms', bar: '≤ 1 s', holds: true }],
};

const rowOf = (name: string, document: string) =>
  document.split('\n').find((line) => line.startsWith(`| ${name} |`));

test('every fault is listed, even without a full run', () => {
  const document = reliabilityDocument({ R1: RESULT });
  for (const name of Object.keys(FAULTS)) expect(rowOf(name, document)).toBeDefined();
  expect(rowOf('R1', document)).toContain('| holds |');
  expect(rowOf('R2', document)).toContain('| no full run yet |');
  expect(document).toContain(
    'The last full run of this fault was on 2026-01-01, at commit abc1234. It took 7 s, on 2 cores of a processor.\n3 of its tests passed',
  );
  expect(document).toContain('| latest acceptance | 6.5 ms | ≤ 1 s | yes |');
});

test('missed limits and failures are in the first table', () => {
  const missed = { ...RESULT, figures: [{ name: 'p50', measured: '60 ms', bar: '≤ 50 ms', holds: false }] };
  expect(rowOf('R1', reliabilityDocument({ R1: missed }))).toContain('**missed: 1**');
  const failed = { ...RESULT, tests: { passed: 2, failed: 1 } };
  expect(rowOf('R1', reliabilityDocument({ R1: failed }))).toContain('**1 of its tests fail**');
});

test('a missed limit has its reason below it, one that holds needs none', () => {
  const missed = { ...RESULT, figures: [{ name: 'p99', measured: '6 ms', bar: '≤ 2 ms', holds: false }] };
  const reason = FAULTS.O3?.whyMissed ?? '';
  expect(reason).not.toBe('');
  expect(reliabilityDocument({ O3: missed })).toContain(`\nA limit was missed because ${reason}\n`);
  expect(reliabilityDocument({ O3: RESULT })).not.toContain(reason);
});
