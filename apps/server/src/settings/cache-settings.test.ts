import { parseSettings } from '@gatehouse/installation/settings';
import { expect, test } from 'vitest';
import { cacheLimits, cacheSettings } from './cache-settings.ts';

function limitsOf(environment: Record<string, string>) {
  const parsed = parseSettings(cacheSettings, environment);
  return parsed.ok ? cacheLimits(parsed.value) : expect.fail(parsed.error.join());
}

test('the settings of the cache may be left out', () => {
  expect(limitsOf({})).toEqual({
    tokens: { entries: 100_000, bytes: 200_000_000 },
    organizations: { entries: 100_000, bytes: 100_000_000 },
    memberships: 200_000,
  });
});

test('they limit the cache, and 0 entries disable it', () => {
  expect(limitsOf({ CACHE_TOKENS: '0', CACHE_TOKENS_MB: '1', CACHE_MEMBERSHIPS: '10000000' })).toMatchObject({
    tokens: { entries: 0, bytes: 1_000_000 },
    memberships: 10_000_000,
  });
});
