import { resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { embeddedDataDir, installationSettings, name, parseSettings, wholeNumber } from './index.ts';

afterEach(() => vi.unstubAllEnvs());

const parse = (environment: Record<string, string>) => parseSettings(installationSettings, environment);

const numbers = {
  LEAST_0: wholeNumber(0, 10_000_000).optional(),
  LEAST_1: wholeNumber(1, 999).optional(),
};

describe('the settings of an installation', () => {
  test('have defaults, and an empty variable counts as unset', () => {
    // The warning is about URLs, and no URL is set here.
    vi.stubEnv('PGSSLMODE', 'typo');
    expect(parse({ DATABASE_URL: '', TOKEN_ISSUER: '' })).toMatchObject({
      value: { MAX_STALENESS_MS: 1000, GATEHOUSE_DATA_DIR: '.gatehouse', TOKEN_ISSUER: 'gatehouse' },
    });
  });

  test('accept URLs of PostgreSQL', () => {
    const url = 'postgres://ada:secret@db.example:5433/gatehouse?sslmode=verify-full';
    const given = { DATABASE_URL: url, DATABASE_LISTEN_URL: url };
    expect(parse(given)).toMatchObject({ value: given });
  });

  test('report every problem without values, which may be secrets', () => {
    const wrong = { DATABASE_URL: 'mysql://ada:hunter2@x', MAX_STALENESS_MS: '499', TOKEN_FORMAT: 'JWT' };
    expect(parse(wrong)).toEqual({
      ok: false,
      error: [
        'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database',
        'MAX_STALENESS_MS must be a whole number from 500 to 60000',
        'TOKEN_FORMAT must be one of paseto, jwt',
      ],
    });
  });
});

describe('a whole number', () => {
  test.each([
    ['0', 0],
    ['007', 7],
    ['0000000000500', 500],
    ['10000000', 10_000_000],
  ])('is decimal, even with leading zeros: %s', (written, value) => {
    expect(parseSettings(numbers, { LEAST_0: written })).toEqual({ ok: true, value: { LEAST_0: value } });
  });

  test.each(['-1', '1.5', '1e3', '0x50', ' 5', '٣', '10000001', 'many'])('is not %j', (written) => {
    const error = ['LEAST_0 must be a whole number from 0 to 10000000'];
    expect(parseSettings(numbers, { LEAST_0: written })).toEqual({ ok: false, error });
  });

  test.each(['0', '00', '1000'])('from 1 to 999 is not %s', (written) => {
    expect(parseSettings(numbers, { LEAST_1: written }).ok).toBe(false);
  });
});

test.each(['a\nb', '', 'x'.repeat(201), '\ud800'])('%j is no name', (written) => {
  expect(name.parse(written).ok).toBe(false);
});

test('the embedded database has a folder unless the settings name another database', () => {
  expect(embeddedDataDir({})).toBe(resolve('.gatehouse'));
  expect(embeddedDataDir({ DATABASE_URL: '', GATEHOUSE_DATA_DIR: '/data' })).toBe('/data');
  expect(embeddedDataDir({ DATABASE_URL: 'postgres://db.example/x' })).toBeUndefined();
});
