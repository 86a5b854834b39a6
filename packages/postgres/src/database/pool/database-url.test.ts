import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUrlProblem, TLS_PARAMETERS } from './database-url.ts';

describe('the URL of a database', () => {
  test.each([
    'postgres://ada:secret@db.example:5433/gatehouse?sslmode=verify-full',
    'postgresql://db.example/gatehouse',
    'postgres:///gatehouse?host=/run/postgresql',
    'postgres://db.example/gatehouse?user=ada@server&password=a@b',
    'postgres://ada%40server:a%23b%2Fc%3Fd%25e%20f@db.example/gatehouse?sslmode=disable',
    'postgres://ada:secret@[::1]:5432/gatehouse',
  ])('may be %s', (url) => {
    expect(databaseUrlProblem(url)).toBeUndefined();
  });

  test.each([
    'db.example',
    'mysql://db.example/x',
    'postgres://ada:hunter2@db.example:port/x',
    'postgres://ada:hunter2@db.example:port/x?sslmode=verify-full',
  ])('is not %s, and the problem does not repeat it', (url) => {
    expect(databaseUrlProblem(url)).toBe('must be a URL such as postgres://user:password@host:5432/database');
  });

  test.each([
    'postgres://ada:one@db.example/x\npostgres://ada:hunter2@db.example/x',
    'postgres://ada:hunter2@db.example/x\u0000',
    'postgres://ada:hunt\ter2@db.example/x',
  ])('is one line without control characters, not %j', (text) => {
    expect(databaseUrlProblem(text)).toBe(
      'has several lines, or control characters: it must be a URL such as postgres://user:password@host:5432/database',
    );
  });

  test.each([
    ['"postgres://ada:hunter2@db.example/x"', 'quotes'],
    ["'postgres://ada:hunter2@db.example/x'", 'quotes'],
    ["'postgres://ada:hunter2@db.example/x", 'quotes'],
    [' postgres://ada:hunter2@db.example/x', 'a blank'],
    ['postgres://ada:hunter2@db.example/x ', 'a blank'],
    ['postgres://ada:hunter2@db example:port/x', 'a blank'],
    ['postgres://ada:hunt er2@db.example/x', 'a blank'],
    ['postgres://ada:hunter2@db.example/x\u00a0', 'a blank'],
    ['postgres://ada:hunt#er2@db.example/x', '%23'],
    ['postgres://ada:12#er2@db.example/x', '%23'],
    ['postgres://ada:hunt/er2@db.example/x', '%2F'],
    ['postgres://ada:12/er2@db.example/x', '%2F'],
    ['postgres://ada:h@nt/er2@db.example/x', '%2F'],
    ['postgres://ada:hunt?er2@db.example/x', '%3F'],
    ['postgres://ada:12?er2@db.example/x', '%3F'],
    ['postgres://ada:100%@db.example/x', '%25'],
    ['postgres://ada:100%zz@db.example/x', '%25'],
    ['postgres://ada:%E0@db.example/x', 'not UTF-8'],
    ['postgres://ada:hunter2@one.example,two.example/x', 'several hosts'],
    ['postgres://ada:hunter2@one.example:5432,two.example:5433/x', 'several hosts'],
    ['postgres://ada:hunter2@/x?host=one.example,two.example', 'several hosts'],
  ])('is refused for what people write: %j', (text, said) => {
    const problem = databaseUrlProblem(text);
    expect(problem).toContain(said);
    expect(problem).toMatch(/: it must be a URL such as postgres:\/\/user:password@host:5432\/database$/);
    expect(problem).not.toMatch(/ada|hunt|er2|example|12|100/);
  });

  test('leads where it says, or is refused, whatever character a password has', () => {
    const client = vi.spyOn(pg, 'Client');
    for (let code = 0x20; code < 0x7f; code += 1) {
      for (const around of ['hunt', '12']) {
        const password = `${around}${String.fromCharCode(code)}er2`;
        const problem = databaseUrlProblem(`postgres://ada:${password}@db.example:5433/x`);
        expect(problem ?? '').not.toContain('er2');
        if (problem === undefined) {
          const parameters = { password, host: 'db.example', port: 5433, database: 'x', user: 'ada' };
          expect(client.mock.results.at(-1)?.value).toMatchObject(parameters);
        }
      }
    }
  });

  test('may have a line end at its end, as from a file of settings', () => {
    expect(databaseUrlProblem('postgres://ada:secret@db.example/x\r')).toBeUndefined();
  });

  test('that names a file which cannot be read is refused with the file', () => {
    const file = 'sslmode=verify-full&sslrootcert=/no/such/ca.pem';
    expect(databaseUrlProblem(`postgres://ada:hunter2@db.example/gatehouse?${file}`)).toBe(
      "names a file that cannot be read: ENOENT: no such file or directory, open '/no/such/ca.pem'",
    );
  });

  test.each([
    ['sslmode=verify-ca&uselibpqcompat=true', 'requires specifying a CA with sslrootcert'],
    ['sslmode=verify-full&sslnegotiation=none', 'Invalid sslnegotiation value'],
  ])('with the parameters %s is refused with what is wrong, and not repeated', (parameters, said) => {
    const problem = databaseUrlProblem(`postgres://ada:hunter2@db.example/gatehouse?${parameters}`);
    expect(problem).toMatch(/^has parameters that cannot be used: /);
    expect(problem).toContain(said);
    expect(problem).not.toMatch(/ada|hunter2|db\.example|postgres:/);
  });
});

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
        /^has parameters that cannot be used: ssl\w* is empty; set sslmode=verify-full for an encrypted connection, or sslmode=disable for one without encryption$/,
      );
    },
  );

  test.each(['on', 'allow', 'VERIFY-FULL', 'true', 'hunter2@db.example'])(
    'are refused if the mode is unknown, and not repeated (%s)',
    (mode) => {
      expect(problemOf(`sslmode=${mode}`)).toBe(
        'has parameters that cannot be used: sslmode is none of disable, prefer, require, verify-ca, verify-full, no-verify',
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
      'names a file without a certificate: the file in sslrootcert must contain -----BEGIN CERTIFICATE-----',
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
