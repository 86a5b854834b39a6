import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from './instant.ts';
import { addMilliseconds, formatInstant, LAST_INSTANT, parseInstant, wholeSecond } from './instant.ts';

interface Vector {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('./vectors/date-time.json', import.meta.url), 'utf8'),
)[0].tests;
const texts = vectors.flatMap(({ data, ...vector }) =>
  typeof data === 'string' ? [{ ...vector, data }] : [],
);

const EARLIEST_INSTANT = Date.parse('0000-01-01T00:00:00Z') as Instant;
const anyInstant = fc
  .integer({ min: EARLIEST_INSTANT, max: LAST_INSTANT })
  .map((instant) => instant as Instant);

describe('The RFC 3339 cases of the JSON Schema test suite', () => {
  it('are all here', () => {
    expect([vectors.length, texts.length]).toEqual([33, 27]);
  });

  it.each(texts)('$description', ({ data, valid }) => {
    expect(parseInstant(data) !== undefined).toBe(valid);
  });
});

describe('Reading an instant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.001Z', 1],
    ['1970-01-01T00:00:00.0019999Z', 1],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1969-12-31T23:30:00-00:30', 0],
    ['1969-12-31T23:59:59Z', -1000],
    ['1998-12-31T23:59:60Z', Date.parse('1999-01-01T00:00:00Z')],
    ['1998-12-31T15:59:60.123-08:00', Date.parse('1999-01-01T00:00:00.123Z')],
    ['2000-02-29T00:00:00Z', Date.parse('2000-02-29T00:00:00Z')],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
    ['9999-12-31T23:59:59.999Z', LAST_INSTANT],
  ])('parses %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00+0100',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01',
    '1767225600',
    '',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('refuses instants that it could not format: an offset can lead out of the years 0000 to 9999', () => {
    expect(parseInstant('0000-01-01T00:00:00+00:01')).toBeUndefined();
    expect(parseInstant('9999-12-31T23:59:59-00:01')).toBeUndefined();
    expect(parseInstant('9999-12-31T23:59:60Z')).toBeUndefined();
  });

  it('refuses a long text quickly', () => {
    const digits = '9'.repeat(1_000_000);
    expect(parseInstant(digits)).toBeUndefined();
    expect(parseInstant(`2026-01-01T00:00:00.${digits}`)).toBeUndefined();
  });
});

describe('Writing an instant', () => {
  it('is in UTC and to the millisecond', () => {
    expect(formatInstant(1_790_000_000_123 as Instant)).toBe('2026-09-21T14:13:20.123Z');
  });

  it('is inverted by parsing', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });

  it('inverts parsing, whatever the offset', () => {
    const offset = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(anyInstant, offset, (instant, minutes) => {
        const local = (instant + minutes * 60_000) as Instant;
        fc.pre(local >= EARLIEST_INSTANT && local <= LAST_INSTANT);
        const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const sign = minutes < 0 ? '-' : '+';
        const text = `${sign}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        expect(parseInstant(formatInstant(local).replace('Z', text))).toBe(instant);
      }),
    );
  });
});

describe('Adding milliseconds', () => {
  it('never leads to an instant that cannot be written or stored', () => {
    fc.assert(
      fc.property(anyInstant, fc.double({ noNaN: true }), (instant, milliseconds) => {
        const sum = addMilliseconds(instant, milliseconds);
        expect(formatInstant(sum)).toMatch(/^\d{4}-/);
        expect(formatInstant(sum)).not.toMatch(/^0000/);
        const exact = instant + milliseconds;
        if (exact >= Date.parse('0001-01-01T00:00:00Z') && exact <= LAST_INSTANT) expect(sum).toBe(exact);
      }),
    );
  });
});

describe('A whole second', () => {
  it('is never later than the instant, before 1970 either', () => {
    const seconds = [1_999, 2_000, -1, -1_000].map((instant) => wholeSecond(instant as Instant));
    expect(seconds).toEqual([1_000, 2_000, -1_000, -1_000]);
  });
});
