import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { MemoryUse } from '../testing/memory-use.ts';

const script = fileURLToPath(new URL('../testing/memory-use.ts', import.meta.url));

function measure(...options: string[]): MemoryUse {
  const output = execFileSync(process.execPath, ['--expose-gc', script, ...options], { encoding: 'utf8' });
  return JSON.parse(output);
}

test('a token held takes at most 1.5 KB, and garbage takes nothing and reads nothing', {
  timeout: 120_000,
}, () => {
  const use = measure('--garbage', '1000000');
  expect(use.bytesPerToken).toBeLessThan(1536);
  // A million of them held would be 350 MB.
  expect(use.garbageBytes).toBeLessThan(5_000_000);
  expect(use.garbageReads).toBe(0);
});

test('what a token is taken to weigh is near to what it weighs', { timeout: 60_000 }, () => {
  const { bytesPerToken } = measure('--garbage', '0');
  const estimate = 450 + 340 + 900 + 100;
  expect(bytesPerToken).toBeGreaterThan(estimate / 2);
  expect(bytesPerToken).toBeLessThan(estimate);
});
