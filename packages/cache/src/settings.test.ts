import { expect, test } from 'vitest';
import { z } from 'zod';
import { cacheLimits, cacheSettings } from './settings.ts';

const settings = z.object(cacheSettings);

test('settings are optional', () => {
  expect(cacheLimits(settings.parse({}))).toEqual({
    tokens: { entries: 100_000, bytes: 200_000_000 },
    organizations: { entries: 100_000, bytes: 100_000_000 },
    memberships: 200_000,
  });
});

test('settings limit the caches, and 0 entries turns them off', () => {
  const limits = cacheLimits(
    settings.parse({ CACHE_TOKENS: '0', CACHE_TOKENS_MB: '1', CACHE_MEMBERSHIPS: '10000000' }),
  );
  expect(limits).toMatchObject({ tokens: { entries: 0, bytes: 1_000_000 }, memberships: 10_000_000 });
});

test.each(['-1', '1.5', '1e3', '07', '10000001', 'many'])('%s is no number of entries', (text) => {
  const { error } = settings.safeParse({ CACHE_TOKENS: text });
  expect(error?.issues).toMatchObject([
    { path: ['CACHE_TOKENS'], message: 'must be a whole number from 0 to 10000000' },
  ]);
});

test.each(['0', '100001'])('%s is no number of megabytes', (text) => {
  expect(settings.safeParse({ CACHE_TOKENS_MB: text }).success).toBe(false);
});
