import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { divideCores, parseCoreList, pinned } from './cores.ts';
import { parseBusyTicks } from './other-programs.ts';
import { lowPriorityCpuSecondsOf, parseResidentBytes, parseStat, usageOf } from './process-usage.ts';
import { parseProportionalBytes, proportionalBytesOf } from './proportional-memory.ts';

it('a list of cores has single cores and ranges, and may be empty', () => {
  expect(parseCoreList('0-2,5,7-8')).toEqual([0, 1, 2, 5, 7, 8]);
  expect(parseCoreList('')).toEqual([]);
});

it('the work of a machine is what its cores did, without their waiting', () => {
  const stat = 'cpu  100 20 30 4000 500 6 7 8 0 0\ncpu0 50 10 15 2000 250 3 3 4 0 0\n';
  expect(parseBusyTicks(stat)).toBe(163);
});

it('a command is pinned to its cores, and unchanged without any', () => {
  expect(pinned('1', 'node', ['a.ts'])).toEqual(['taskset', ['-c', '1', 'node', 'a.ts']]);
  expect(pinned(undefined, 'node', ['a.ts'])).toEqual(['node', ['a.ts']]);
});

it('of the cores of a machine, a quarter is for the load, and at least one', () => {
  expect(divideCores(parseCoreList('0-15'))).toEqual({
    server: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    load: [0, 1, 2, 3],
  });
  expect(divideCores([0, 1])).toEqual({ server: [1], load: [0] });
});

it('a page that processes share is divided among them', () => {
  expect(parseProportionalBytes('Rss:  900 kB\nPss:                 512 kB\nPss_Anon:  100 kB\n')).toBe(
    512 * 1024,
  );
  expect(parseProportionalBytes('')).toBe(0);
});

it.runIf(process.platform === 'linux')(
  'the proportional memory of a process is at most its resident memory',
  () => {
    const bytes = proportionalBytesOf(process.pid);
    expect(bytes).toBeGreaterThan(1e6);
    expect(bytes).toBeLessThanOrEqual(usageOf(process.pid).residentBytes * 1.1);
  },
);

describe('the usage of a process', () => {
  it('is parsed even if its name looks like fields', () => {
    const stat = '4242 (a) R 1 (b) S 17 4242 4242 0 -1 4194560 500 0 0 0 250 50 9 9 20 0 11 0 100 1 2';
    expect(parseStat(stat)).toEqual({ parent: 17, cpuTicks: 300, endedTicks: 18, nice: 0 });
  });

  it('includes resident memory, which is nothing for a process that has exited', () => {
    expect(parseResidentBytes('Name:\tnode\nVmHWM:\t  900 kB\nVmRSS:\t  512 kB\n')).toBe(512 * 1024);
    expect(parseResidentBytes('Name:\tnode\nState:\tZ (zombie)\n')).toBe(0);
  });

  it.runIf(process.platform === 'linux')('is available on this system', () => {
    const usage = usageOf(process.pid);
    expect(usage.cpuSeconds).toBeGreaterThan(0);
    expect(usage.residentBytes).toBeGreaterThan(1e6);
    expect(usage.processes).toBeGreaterThanOrEqual(1);
    expect(lowPriorityCpuSecondsOf(process.pid)).toBeLessThan(usage.cpuSeconds);
  });

  it.runIf(process.platform === 'linux')('has that of children that have ended', () => {
    const before = usageOf(process.pid);
    const burn = 'while (process.cpuUsage().user < 300_000);';
    spawnSync(process.execPath, ['-e', burn]);
    const after = usageOf(process.pid);
    expect(after.processes).toBe(before.processes);
    expect(after.cpuSeconds - before.cpuSeconds).toBeGreaterThanOrEqual(0.3);
  });
});
