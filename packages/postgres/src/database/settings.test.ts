import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { postgresSettings } from './settings.ts';

const settings = z.object(postgresSettings);

describe('the settings', () => {
  test('are optional', () => {
    expect(settings.parse({})).toEqual({ DATABASE_POOL_SIZE: 10, MAX_STALENESS_MS: 1000 });
  });

  test.each([
    'postgres://ada:secret@db.example:5433/gatehouse?sslmode=verify-full',
    'postgresql://db.example/gatehouse',
    'postgres:///gatehouse?host=/run/postgresql',
  ])('take the URL %s', (url) => {
    const given = { DATABASE_URL: url, DATABASE_LISTEN_URL: url };
    expect(settings.parse({ ...given, DATABASE_POOL_SIZE: '25' })).toMatchObject({
      ...given,
      DATABASE_POOL_SIZE: 25,
    });
  });

  test.each(['db.example', 'mysql://db.example/x', 'postgres://ada:hunter2@db example:port/x'])(
    'refuse the URL %s without repeating it',
    (url) => {
      const { error } = settings.safeParse({ DATABASE_URL: url, DATABASE_LISTEN_URL: url });
      const message = 'must be a URL such as postgres://user:password@host:5432/database';
      expect(error?.issues).toMatchObject([
        { path: ['DATABASE_URL'], message },
        { path: ['DATABASE_LISTEN_URL'], message },
      ]);
      expect(JSON.stringify(error?.issues)).not.toContain('hunter2');
    },
  );

  test('name an unreadable file in the URL', () => {
    const { error } = settings.safeParse({
      DATABASE_URL:
        'postgres://ada:hunter2@db.example/gatehouse?sslmode=verify-full&sslrootcert=/no/such/ca.pem',
    });
    expect(error?.issues[0]?.message).toBe(
      "names a file that cannot be read: ENOENT: no such file or directory, open '/no/such/ca.pem'",
    );
  });

  test.each([
    ['sslmode=verify-ca&uselibpqcompat=true', 'requires specifying a CA with sslrootcert'],
    ['sslmode=verify-full&sslnegotiation=none', 'Invalid sslnegotiation value'],
  ])('say what is wrong with the parameters %s, and do not repeat the URL', (parameters, said) => {
    const { error } = settings.safeParse({
      DATABASE_URL: `postgres://ada:hunter2@db.example/gatehouse?${parameters}`,
    });
    expect(error?.issues[0]?.message).toMatch(/^has parameters that cannot be used: /);
    expect(error?.issues[0]?.message).toContain(said);
    expect(error?.issues[0]?.message).not.toMatch(/ada|hunter2|db\.example|postgres:/);
  });

  test.each([
    'postgres://ada:hunter2@db example:port/x?sslmode=verify-full',
    'postgres://ada:%E0@db.example/x',
  ])('refuse %s as no URL, whatever parameters it has', (url) => {
    const { error } = settings.safeParse({ DATABASE_URL: url });
    expect(error?.issues[0]?.message).toMatch(/^must be a URL such as /);
  });

  test.each(['0', '-1', '1.5', '1e2', ' 5', '1000', 'ten'])('refuse %j connections', (size) => {
    const { error } = settings.safeParse({ DATABASE_POOL_SIZE: size });
    expect(error?.issues[0]?.message).toBe('must be a whole number from 1 to 999');
  });

  test.each(['500', '1000', '60000'])('accept %s ms as the maximum staleness', (ms) => {
    expect(settings.parse({ MAX_STALENESS_MS: ms }).MAX_STALENESS_MS).toBe(Number(ms));
  });

  test.each(['0', '499', '60001', '1e3', '0500', '1s', '-1000'])(
    'refuse %j ms as the maximum staleness',
    (ms) => {
      const { error } = settings.safeParse({ MAX_STALENESS_MS: ms });
      expect(error?.issues[0]?.message).toBe('must be a whole number of milliseconds from 500 to 60000');
    },
  );
});
