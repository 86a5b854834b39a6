import { expect, test } from 'vitest';
import { parseDay } from './shift-note.ts';

test.each(['2027-01-31', '2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2027-04-30'])(
  '%s is a day',
  (text) => expect(parseDay(text)).toBe(text),
);

test.each([
  '',
  '2027-1-31',
  '2027-02-29',
  '1900-02-29',
  '2027-04-31',
  '2027-13-01',
  '2027-00-10',
  '2027-01-00',
])('%j is no day', (text) => expect(parseDay(text)).toBeUndefined());

test.each(['0000-01-01', '2027-01-31T00:00:00Z', ' 2027-01-31', '２０２７-01-31', '+2027-01-31'])(
  '%j is no day either',
  (text) => expect(parseDay(text)).toBeUndefined(),
);
