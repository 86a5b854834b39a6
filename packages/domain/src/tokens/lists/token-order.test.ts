import { describe, expect, test } from 'vitest';
import { aTokenId, aTokenRecord, START } from '../../../testing/index.ts';
import { NEVER_USED } from '../usage/token-usage.ts';
import { cursorOf, formatTokenCursor, parseTokenCursor, TOKEN_ORDERS } from './token-order.ts';

const ID = aTokenId();
const details = {
  ...aTokenRecord({ id: ID, name: 'ERP / %', expiresAt: START }),
  usage: { ...NEVER_USED, lastUsedAt: START },
  description: null,
  successor: null,
};

describe('a cursor', () => {
  test.each([
    ['newest', ''],
    ['name', 'ERP / %'],
    ['expiry', '2026-01-01T00:00:00.000Z'],
    ['least_recently_used', '2026-01-01'],
    ['most_recently_used', '2026-01-01'],
  ] as const)('by %s is written with what the order compares', (order, value) => {
    expect(formatTokenCursor(cursorOf(order, details))).toBe(`${ID}${value}`);
  });

  test.each(TOKEN_ORDERS)('by %s is read as it was written', (order) => {
    for (const each of [details, { ...details, expiresAt: null, usage: NEVER_USED }]) {
      const cursor = cursorOf(order, each);
      expect(parseTokenCursor(order, formatTokenCursor(cursor))).toEqual(cursor);
    }
  });

  test.each([
    ['newest', ['', 'x', ID.slice(1), `${ID} `, ID.toUpperCase().replace('0189', '018A'), `${ID}never`]],
    ['name', [ID, `${ID} `, `${ID}a\u0000`, `${ID}\ud800`, `${ID}${'a'.repeat(201)}`, 'ERP']],
    ['expiry', [ID, `${ID}2026-01-01`, `${ID}2026-02-30T00:00:00.000Z`, `${ID}infinity`, `${ID}Never`]],
    ['expiry', [`${ID}0000-01-01T00:00:00.000Z`, `${ID}1969-12-31T23:59:59.999Z`]],
    ['least_recently_used', [ID, `${ID}2026-02-30`, `${ID}2026-1-1`, `${ID}-infinity`, `${ID}2026-01-01 `]],
    ['most_recently_used', [`${ID}0000-01-01`, `${ID}0000-02-29`, `${ID}1969-12-31`]],
  ] as const)('by %s is refused if it is malformed', (order, texts) => {
    for (const text of texts) expect(parseTokenCursor(order, text), text).toBeUndefined();
  });
});
