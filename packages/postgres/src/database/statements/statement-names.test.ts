import { expect, test } from 'vitest';
import { createStatementNames, UNPREPARED } from './statement-names.ts';

test('a statement that is planned for its values gets no name', () => {
  expect(createStatementNames()(`select ${UNPREPARED} $1`)).toBeUndefined();
});

test('statements beyond the limit get no name', () => {
  const statementName = createStatementNames();
  const names = Array.from({ length: 1000 }, (_, i) => statementName(`select $1, ${i}`));
  expect(names.filter((name) => name !== undefined)).toHaveLength(500);
  expect(statementName('select $1, 0')).toBe(names[0]);
});
