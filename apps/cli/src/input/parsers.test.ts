import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { describe, expect, test } from 'vitest';
import * as parsers from './parsers.ts';
import { parsing } from './parsers.ts';

const toMilliseconds = parsing(parsers.DURATION.parser);
const toMoment = parsing(parsers.MOMENT.parser);
const toExpiry = parsing(parsers.EXPIRY.parser);
const NUMBERS = [parsers.COUNT, parsers.ACCOUNT_ID, parsers.ORGANIZATION_ID].map(({ parser }) =>
  parsing<number>(parser),
);

const refusalOf = (parse: (text: string) => unknown, text: string): string => {
  try {
    parse(text);
  } catch (error) {
    return String((error as { readonly lines?: readonly string[] }).lines?.[0] ?? (error as Error).message);
  }
  return expect.fail(`${text} was accepted`);
};

const DAY = 86_400_000;

describe('durations', () => {
  test.each([toMilliseconds, toMoment])('are accepted up to what can be counted, in any unit', (parse) => {
    for (const text of [
      '2147483647s',
      '2147483648s',
      '4294967296s',
      '1000000000m',
      '9007199254740s',
      '104249991d',
    ])
      expect(parse(text)).toBeDefined();
    expect(toMilliseconds('25000d')).toBe(25_000 * DAY);
  });

  test.each([
    ['9007199254741s', '9007199254740s'],
    ['150119987580m', '150119987579m'],
    ['2501999793h', '2501999792h'],
    ['999999999d', '104249991d'],
    ['99999999999999999999w', '14892855w'],
    ['999999y', '285616y'],
  ])('%s is refused for its length', (text, longest) => {
    for (const parse of [toMilliseconds, toMoment])
      expect(refusalOf(parse, text)).toBe(`"${text}" is not a duration of at most ${longest}.`);
  });

  test.each(['0d', '-1d', '1.5d', '90', '90x', '1e3d', ''])('%j is refused for its form', (text) => {
    expect(refusalOf(toMilliseconds, text)).toContain('is not a duration such as 90d');
    expect(refusalOf(toMoment, text)).toContain(
      'is not how long ago, such as 2d, a date such as 2027-01-31, or a time',
    );
  });
});

describe('numbers', () => {
  test.each(NUMBERS)('name the greatest', (parse) => {
    expect(parse('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    for (const text of ['9007199254740992', '99999999999999999999', '0', '-1', '1e3', '1.0'])
      expect(refusalOf(parse, text)).toContain('a whole number from 1 to 9007199254740991, such as 42');
  });
});

describe('times', () => {
  test('can be dates in UTC, which end with their last moment as an expiry, and else begin', () => {
    const beginning = Date.parse('2026-12-01T00:00:00Z');
    expect(toExpiry('2026-12-01')).toBe(beginning + 86_400_000);
    expect(toMoment('2026-12-01')).toEqual({ at: beginning });
    for (const text of [
      '2026-02-30',
      '2026-13-01',
      '2026-12-1',
      '2026-12',
      '26-12-01',
      '2026-12-01Z',
      ' 2026-12-01',
    ])
      for (const parse of [toExpiry, toMoment])
        expect(refusalOf(parse, text)).toContain('a date such as 2027-01-31, or a time');
  });

  test('name the last year', () => {
    expect(toExpiry('9999-12-31T23:59:59Z')).toBeGreaterThan(0);
    for (const text of ['10000-01-01T00:00:00Z', '+10000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'])
      for (const parse of [toExpiry, toMoment])
        expect(refusalOf(parse, text)).toContain('a time in the years to 9999 as in RFC 3339');
  });
});

test('every parser names what it expects, for extremes of all kinds', () => {
  const { scopeOf, parsing: _, ...all } = parsers;
  const every = { ...all, scope: scopeOf(createCatalog(BUILT_IN)) };
  for (const [name, { parser }] of Object.entries(every)) {
    // These take almost any text.
    if (['NAME', 'EMAIL', 'OWNER', 'ACTOR', 'KEY_ID', 'CIDR', 'WEBHOOK_ACTIONS'].includes(name)) continue;
    const parse = parsing<unknown>(parser);
    for (const text of ['', '0', '-1', '1e309', 'NaN', 'Infinity', '\u0000', '9'.repeat(10_000), '٣'])
      expect(refusalOf(parse, text), `${name} of ${text.slice(0, 9)}`).toMatch(
        / (must be|is not) .*\w.*[.]$/,
      );
  }
});
