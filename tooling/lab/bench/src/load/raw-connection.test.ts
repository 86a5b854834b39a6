import { expect, it } from 'vitest';
import { readAnswer } from './raw-connection.ts';

const HEAD = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nDate: now\r\n\r\n';

it.each([
  ['a complete one', `${HEAD}no`, 401],
  ['one whose head ends later', HEAD.slice(0, -1), 'incomplete'],
  ['one whose body ends later', `${HEAD}n`, 'incomplete'],
  ['one that is longer than it says', `${HEAD}nono`, 'unreadable'],
  ['one that does not say how long it is', HEAD.replace(/Content-Length.*\r\n/, ''), 'unreadable'],
] as const)('of an answer, %s', (_, received, expected) => {
  expect(readAnswer(received)).toBe(expected);
});
