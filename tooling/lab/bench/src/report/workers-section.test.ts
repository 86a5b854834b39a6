import { expect, it } from 'vitest';
import type { Sample } from '../load/measure.ts';
import type { WorkersRow } from '../parts/workers/workers.ts';
import { withSection } from './document.ts';
import { SIXTEEN_CORES } from './sixteen-cores.ts';
import { workersSection } from './workers-section.ts';

const sample = (of: Partial<Sample>): readonly Sample[] => [
  { cpuMicroseconds: 20, requestsPerSecond: 40_000, busy: 1, p50Ms: 0.1, p99Ms: 3, maxMs: 4, ...of },
];
const row = (workers: number, isShared: boolean): WorkersRow => ({
  workers,
  isShared,
  bare: sample({ requestsPerSecond: 60_000 }),
  known: sample({}),
  memoryBytes: 100e6,
  memoryAfterSignInsBytes: 130e6,
  neverSeen: sample({ cpuMicroseconds: 200 }),
  signIns: sample({ requestsPerSecond: 80 }),
  hashingThreads: workers,
});
const revocation = { workers: 2, requestsPerSecond: 30_000, delaysMs: [0, 1.5, 3.25] };

it('a table of workers says which rows a machine is too small for, and which shared its cores', () => {
  const growth = { rows: [row(1, false), row(2, true)], cores: 2, tooMany: [4, 8, 12], revocation };
  const section = workersSection(growth, 0.01);
  expect(section).toContain('\n| 1 | 60,000');
  expect(section).toContain('\n| 2 (shared) | 60,000');
  expect(section).toContain('This machine has 2 cores, so 4, 8, and 12 workers were not measured.');
  expect(section).toContain('With 2 workers, the server shared all cores');
  expect(section).toContain(
    '2 of them were accepted after the acknowledgement of the revocation, for at most 3.25 ms',
  );
});

it('a machine with enough cores leaves nothing out', () => {
  const section = workersSection({ rows: [row(1, false)], cores: 16, tooMany: [], revocation }, 0);
  expect(section).not.toContain('not measured');
  expect(section).not.toContain('shared all cores');
});

it('a run keeps the figures of 16 cores, after the part for workers', () => {
  const document = withSection(undefined, 'commands', '## Short commands');
  const again = withSection(document, 'workers', '## Several workers');
  for (const text of [document, again]) {
    expect(text.split('## Workers on 16 cores')).toHaveLength(2);
    for (const { signInsPerSecond } of SIXTEEN_CORES.rows) expect(text).toContain(`| ${signInsPerSecond} |`);
  }
  const order = ['## Several workers', '## Workers on 16 cores', '## Short commands'];
  expect(order.map((title) => again.indexOf(title)).toSorted((one, other) => one - other)).toEqual(
    order.map((title) => again.indexOf(title)),
  );
});
