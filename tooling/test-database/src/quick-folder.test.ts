import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { quickFolder } from './quick-folder.ts';

const RUN = 'gh-run';

function aPlace() {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-place-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  return place;
}

it('is in memory if that has the space, under the name of the run, else where temporary files are', () => {
  vi.stubEnv('GATEHOUSE_TEST_RUN', RUN);
  const place = aPlace();
  const { bavail, bsize } = statfsSync(place);
  expect(quickFolder(place, (bavail * bsize) / 2)).toBe(join(place, RUN));
  expect(existsSync(join(place, RUN))).toBe(true);
  expect(quickFolder(place, bavail * bsize * 2)).toBe(tmpdir());
});

it('is where temporary files are on a machine without that file system, and where no run of tests would remove it', () => {
  vi.stubEnv('GATEHOUSE_TEST_RUN', RUN);
  expect(quickFolder(join(aPlace(), 'missing'), 1)).toBe(tmpdir());
  vi.stubEnv('GATEHOUSE_TEST_RUN', undefined);
  expect(quickFolder(aPlace(), 1)).toBe(tmpdir());
});
