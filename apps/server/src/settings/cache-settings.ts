import type { CacheLimits } from '@gatehouse/cache';
import { type SettingsOf, wholeNumber } from '@gatehouse/installation/settings';

const entries = wholeNumber(0, 10_000_000);
const megabytes = wholeNumber(1, 100_000);

/**
 * The limits of the caches of a process. A cache has a limit of entries (0: no cache), and some also have a limit in
 * megabytes. A cache drops entries as soon as it exceeds any of its limits.
 */
export const cacheSettings = {
  CACHE_TOKENS: entries.default(100_000),
  CACHE_TOKENS_MB: megabytes.default(200),
  CACHE_ORGANIZATIONS: entries.default(100_000),
  CACHE_ORGANIZATIONS_MB: megabytes.default(100),
  CACHE_MEMBERSHIPS: entries.default(200_000),
};

const BYTES = 1_000_000;

/** Returns the limits of the caches, with sizes in bytes. */
export function cacheLimits(settings: SettingsOf<typeof cacheSettings>): CacheLimits {
  return {
    tokens: { entries: settings.CACHE_TOKENS, bytes: settings.CACHE_TOKENS_MB * BYTES },
    organizations: {
      entries: settings.CACHE_ORGANIZATIONS,
      bytes: settings.CACHE_ORGANIZATIONS_MB * BYTES,
    },
    memberships: settings.CACHE_MEMBERSHIPS,
  };
}
