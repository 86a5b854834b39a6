import { expect, test } from 'vitest';
import { statementName, UNPREPARED } from './statement-names.ts';

test('a statement that is planned for its values gets no name', () => {
  expect(statementName(`select ${UNPREPARED} $1`)).toBeUndefined();
});

test('statements beyond the limit get no name', () => {
  const names = Array.from({ length: 1000 }, (_, i) => statementName(`select $1, ${i}`));
  expect(names.filter((name) => name !== undefined).length).toBeLessThanOrEqual(500);
  expect(statementName('select $1, 0')).toBe(names[0]);
});
