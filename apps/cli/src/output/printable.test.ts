import { expect, test } from 'vitest';
import { quote, quotePath } from './printable.ts';

const LONG = 'x'.repeat(41);

test('long input is cut in a message, because it may be a secret', () => {
  expect(quote('ERP')).toBe('"ERP"');
  expect(quote(LONG)).toBe(`"${'x'.repeat(20)}..."`);
});

test('a path can be read to its end, however deep it is, and only a part that may be a secret is cut', () => {
  const path = '/var/lib/gatehouse/exports-of-the-audit-log/2026/audit-of-november.jsonl';
  expect(quotePath(path)).toBe(`"${path}"`);
  expect(quotePath(`/tmp/${LONG}/a\nb`)).toBe(`"/tmp/${'x'.repeat(20)}.../a�b"`);
});
