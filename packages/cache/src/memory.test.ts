import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { aTokenRecord } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { recordFigures } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import type { MemoryUse } from '../testing/memory-use.ts';
import { signatureBytes } from './cached-signer.ts';
import { recordBytes } from './cached-token-records.ts';

const script = fileURLToPath(new URL('../testing/memory-use.ts', import.meta.url));

function measure(...options: string[]): MemoryUse {
  const output = execFileSync(process.execPath, ['--expose-gc', script, ...options], { encoding: 'utf8' });
  return JSON.parse(output);
}

test('a cached token takes at most 1.5 KB, and garbage takes no memory and no reads', {
  timeout: 120_000,
}, () => {
  const use = measure('--garbage', '1000000');
  expect(use.bytesPerToken).toBeLessThan(1536);
  // A million of them held would be 350 MB.
  expect(use.garbageBytes).toBeLessThan(5_000_000);
  expect(use.garbageReads).toBe(0);
  const measured = `${Math.round(use.garbageBytes / 1000)} KB`;
  const name = 'kept in memory of 1,000,000 garbage tokens';
  recordFigures('Q18', [{ name, measured, bar: '≤ 5000 KB', holds: true }]);
});

test('the estimated size of a token is near its real size', { timeout: 60_000 }, () => {
  const { bytesPerToken } = measure('--garbage', '0');
  const estimate = recordBytes(aTokenRecord({ id: 'token' as TokenId })) + signatureBytes('x'.repeat(366));
  expect(bytesPerToken / estimate).toBeGreaterThan(0.75);
  expect(bytesPerToken / estimate).toBeLessThan(1.25);
});
