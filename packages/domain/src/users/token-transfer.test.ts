import { expect, test } from 'vitest';
import { renamesForTransfer } from './token-transfer.ts';

test('only names that the new owner uses get a number, the next free one', () => {
  expect(renamesForTransfer(['Wiki', 'ERP', 'ERP', 'CRM', 'CRM (2)'], ['ERP', 'CRM', 'CRM (3)'])).toEqual([
    { before: 'CRM', after: 'CRM (4)' },
    { before: 'ERP', after: 'ERP (2)' },
  ]);
  expect(renamesForTransfer(['ERP'], ['erp'])).toEqual([]);
});

test('a new name is valid: at most 200 characters, well formed, without a double space before the number', () => {
  const long = `${'x'.repeat(195)}☃🏭`;
  const [renamed] = renamesForTransfer([long], [long]);
  expect(renamed?.after).toBe(`${'x'.repeat(195)}☃ (2)`);
  const spaced = `${'x'.repeat(195)} yz`;
  expect(renamesForTransfer([spaced], [spaced])[0]?.after).toBe(`${'x'.repeat(195)} (2)`);
});
