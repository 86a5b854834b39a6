import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { databaseUrlProblem } from './database-url.ts';

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
