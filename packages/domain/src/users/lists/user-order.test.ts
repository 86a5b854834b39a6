import { describe, expect, test } from 'vitest';
import { aTokenRecord } from '../../../testing/index.ts';
import { formatUserCursor, parseUserCursor, USER_ORDERS, userCursorOf } from './user-order.ts';

const { user } = aTokenRecord();

describe('a position in a list of users', () => {
  test.each(USER_ORDERS)('by %s is read as it was written', (order) => {
    for (const name of ['Ada', 'Ada / % Lovelace', '7']) {
      const cursor = userCursorOf(order, { ...user, name });
      expect(parseUserCursor(order, formatUserCursor(cursor))).toEqual(cursor);
    }
  });

  test.each([
    ['newest', ['', 'x', '0', '01', '-1', '1 ', '1 Ada', '9007199254740993', '1e3']],
    ['name', ['', '1', '1 ', 'Ada', ' Ada', '1 a\u0000', '1 \ud800', `1 ${'a'.repeat(201)}`]],
  ] as const)('by %s is refused if it is malformed', (order, texts) => {
    for (const text of texts) expect(parseUserCursor(order, text), text).toBeUndefined();
  });
});
