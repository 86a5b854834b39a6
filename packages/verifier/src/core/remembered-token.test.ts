import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Figures } from '../../testing/measure-recall.ts';

const script = fileURLToPath(new URL('../../testing/measure-recall.ts', import.meta.url));

test('a remembered token takes at most 1 KB', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', script, '20000'], { encoding: 'utf8' });
  const { bytesPerToken } = JSON.parse(output) as Figures;
  expect(bytesPerToken).toBeLessThan(1024);
});
