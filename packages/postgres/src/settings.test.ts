import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { postgresSettings } from './settings.ts';

const settings = z.object(postgresSettings);

describe('the settings', () => {
  test('may be left out', () => {
    expect(settings.parse({})).toEqual({ DATABASE_POOL_SIZE: 10 });
  });

  test.each([
    'postgres://ada:secret@db.example:5433/gatehouse?sslmode=verify-full',
    'postgresql://db.example/gatehouse',
    'postgres:///gatehouse?host=/run/postgresql',
  ])('take the URL %s', (url) => {
    expect(settings.parse({ DATABASE_URL: url, DATABASE_POOL_SIZE: '25' })).toEqual({
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: 25,
    });
  });

  test.each(['db.example', 'mysql://db.example/x', 'postgres://ada:hunter2@db example:port/x'])(
    'refuse the URL %s without repeating it',
    (url) => {
      const { error } = settings.safeParse({ DATABASE_URL: url });
      expect(error?.issues).toMatchObject([{ path: ['DATABASE_URL'] }]);
      expect(error?.issues[0]?.message).toBe(
        'must be a URL such as postgres://user:password@host:5432/database',
      );
      expect(JSON.stringify(error?.issues)).not.toContain('hunter2');
    },
  );

  test.each(['0', '-1', '1.5', '1e2', ' 5', '1000', 'ten'])('refuse %j connections', (size) => {
    const { error } = settings.safeParse({ DATABASE_POOL_SIZE: size });
    expect(error?.issues[0]?.message).toBe('must be a whole number from 1 to 999');
  });
});
