import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUrlProblem } from './database-url.ts';
import { TLS_PARAMETERS } from './tls-parameters.ts';

const BASE = 'postgres://ada:hunter2@db.example/gatehouse';

/** The problem of a URL with these parameters. */
function problemOf(parameters: string): string | undefined {
  const problem = databaseUrlProblem(`${BASE}?${parameters}`);
  expect(problem ?? '').not.toMatch(/ada|hunter2|db\.example|postgres:/);
  return problem;
}

const isEncrypted = (parameters: string) => Boolean(new pg.Client(`${BASE}?${parameters}`).ssl);

beforeEach(() => vi.stubEnv('PGSSLMODE', undefined));
afterEach(() => vi.unstubAllEnvs());

const KNOWN = 'ssl, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation';

describe('the TLS parameters of a URL', () => {
  test.each([
    ['sslMode=require', 'sslMode'],
    ['SSLMODE=verify-full', 'SSLMODE'],
    ['tls=true', 'tls'],
    ['ssl_mode=require', 'ssl_mode'],
    ['useSSL=true', 'useSSL'],
    ['requiressl=1', 'requiressl'],
    ['sslmode=verify-full&sslcrl=/etc/ssl/revoked.pem', 'sslcrl'],
    ['application_name=x&sslmodes=require', 'sslmodes'],
  ])('are refused where one is unknown (%s)', (parameters, name) => {
    expect(problemOf(parameters)).toBe(
      `has parameters that cannot be used: ${name} is none of the TLS parameters ${KNOWN}`,
    );
  });

  test.each(['?sslmode=require', 'amp;sslmode=require', 'sslmode%20=require', 'sslhunter2@db.example/x=y'])(
    'are refused without repeating a name that may be a secret (%s)',
    (parameters) => {
      expect(problemOf(parameters)).toBe(
        `has parameters that cannot be used: a name in it is none of the TLS parameters ${KNOWN}`,
      );
    },
  );

  test.each(TLS_PARAMETERS.flatMap((name) => [`${name}=`, name, `sslmode=verify-full&${name}=`]))(
    'are refused if one is empty (%s)',
    (parameters) => {
      expect(problemOf(parameters)).toMatch(
        /^has parameters that cannot be used: ssl\w* is empty; sslmode=verify-full is encrypted, sslmode=disable is not$/,
      );
    },
  );

  test.each([
    'ssl=true',
    'ssl=0',
    'sslmode=verify-full',
    'sslmode=no-verify',
    'sslmode=disable',
    'sslmode=verify-full&sslnegotiation=direct',
    'sslmode=require&uselibpqcompat=true',
    'sslmode=verify-full&sslcert=/dev/null&sslkey=/dev/null',
    'options=-c%20search_path%3Dpublic&application_name=ssl&connect_timeout=5&channel_binding=require',
    'application_name=&target_session_attrs=read-write',
    '',
  ])('are accepted as pg reads them (%s)', (parameters) => {
    expect(problemOf(parameters)).toBeUndefined();
  });

  test('are refused if the file of authorities is empty', () => {
    expect(problemOf('sslmode=verify-full&sslrootcert=/dev/null')).toBe(
      'names a file without a certificate: what sslrootcert names must have -----BEGIN CERTIFICATE-----',
    );
  });

  test.each(['ssl=true', 'sslmode=x', 'sslrootcert=/dev/null', 'sslcert=/dev/null', 'sslkey=/dev/null'])(
    'are read by pg: %s encrypts',
    (parameters) => {
      expect(isEncrypted('')).toBe(false);
      expect(isEncrypted(parameters)).toBe(true);
    },
  );
});

describe('PGSSLMODE', () => {
  const PROBLEM =
    'has no sslmode, and PGSSLMODE is none of disable, prefer, require, verify-ca, verify-full, no-verify';

  test.each(['REQUIRE', 'typo', 'allow', 'verify_full', 'true', ' require'])(
    'is refused if it applies and is unknown (%j)',
    (mode) => {
      vi.stubEnv('PGSSLMODE', mode);
      for (const parameters of ['', 'application_name=x', 'sslnegotiation=postgres']) {
        expect(problemOf(parameters), parameters).toBe(PROBLEM);
      }
    },
  );

  test.each(['ssl=true', 'ssl=0', 'sslmode=verify-full', 'sslmode=disable', 'sslcert=/dev/null'])(
    'may be anything if the URL has %s',
    (parameters) => {
      vi.stubEnv('PGSSLMODE', 'typo');
      expect(problemOf(parameters)).toBeUndefined();
    },
  );

  test.each(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])('%s encrypts', (mode) => {
    vi.stubEnv('PGSSLMODE', mode);
    expect(problemOf('')).toBeUndefined();
    expect(isEncrypted('')).toBe(true);
  });

  test.each(['disable', ''])('%j is accepted, and does not encrypt', (mode) => {
    vi.stubEnv('PGSSLMODE', mode);
    expect(problemOf('')).toBeUndefined();
    expect(isEncrypted('')).toBe(false);
  });
});
