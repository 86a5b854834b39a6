import { describe, expect, test } from 'vitest';
import { databaseUrlProblem } from './database-url.ts';

describe('the URL of a database', () => {
  test.each([
    'postgres://ada:secret@db.example:5433/gatehouse?sslmode=verify-full',
    'postgresql://db.example/gatehouse',
    'postgres:///gatehouse?host=/run/postgresql',
  ])('may be %s', (url) => {
    expect(databaseUrlProblem(url)).toBeUndefined();
  });

  test.each([
    'db.example',
    'mysql://db.example/x',
    'postgres://ada:hunter2@db example:port/x',
    'postgres://ada:hunter2@db example:port/x?sslmode=verify-full',
    'postgres://ada:%E0@db.example/x',
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

  test('may have white space at its end, as from a file of settings', () => {
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
