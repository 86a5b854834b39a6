import { describe, expect, test } from 'vitest';
import { parseChangeNotification } from './change-notification.ts';

const parse = (payload: object) => parseChangeNotification(JSON.stringify({ v: 1, ...payload }));
const EVERYTHING = [{ kind: 'everything' }];

describe('a notification', () => {
  test('names the changes', () => {
    expect(parse({ kind: 'token', ids: ['a', 'b'] })).toEqual([
      { kind: 'token', id: 'a' },
      { kind: 'token', id: 'b' },
    ]);
    for (const kind of ['user', 'account', 'organization']) {
      expect(parse({ kind, ids: [7] })).toEqual([{ kind, id: 7 }]);
    }
    expect(parse({ kind: 'key', ids: ['k'] })).toEqual([{ kind: 'key', id: 'k' }]);
    expect(parse({ kind: 'service', ids: ['orders'] })).toEqual([{ kind: 'service', id: 'orders' }]);
    expect(parse({ kind: 'membership', ids: [[3, 4]] })).toEqual([
      { kind: 'membership', organizationId: 3, userId: 4 },
    ]);
  });

  test('with too many or invalid ids means everything, or everything of a kind that services are not told', () => {
    for (const ids of ['*', undefined, [null], [1.5], [2 ** 53], [[1]], {}]) {
      expect(parse({ kind: 'membership', ids })).toEqual([{ kind: 'memberships' }]);
      expect(parse({ kind: 'organization', ids })).toEqual([{ kind: 'organizations' }]);
      expect(parse({ kind: 'user', ids })).toEqual(EVERYTHING);
      expect(parse({ kind: 'service', ids })).toEqual(EVERYTHING);
    }
  });

  test("names rows of an extension's table, or says that any may have changed", () => {
    const table = 'shift_notes.shift_notes';
    expect(parse({ kind: table, ids: [7, 'a'] })).toEqual([
      { kind: 'row', table, id: 7 },
      { kind: 'row', table, id: 'a' },
    ]);
    for (const ids of ['*', undefined, [null], [[1]], {}]) {
      expect(parse({ kind: table, ids })).toEqual([{ kind: 'rows', table }]);
    }
  });

  test('names a table however it is spelled', () => {
    for (const table of ['shift_notes.Notes', 'shift_notes.notes-2', 'shift_notes."q" \n'])
      expect(parse({ kind: table, ids: [7] })).toEqual([{ kind: 'row', table, id: 7 }]);
  });

  test.each([
    '',
    '*',
    'null',
    '[]',
    '{}',
    '{"v":1}',
    '{"v":1,"kind":"widget","ids":[1]}',
    '{"v":1,"kind":"a.b.c","ids":[1]}',
    '{"v":2,"kind":"a.b","ids":[1]}',
    '{"v":2,"kind":"token","ids":["a"]}',
    '{"v":"1","nonce":"n"}',
  ])('that is not ours (%s) is told apart', (payload) => {
    expect(parseChangeNotification(payload)).toBeUndefined();
  });
});
