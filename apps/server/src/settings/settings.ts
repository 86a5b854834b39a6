import type { Result } from '@gatehouse/domain';
import { DEFAULT_SESSION_TIMES } from '@gatehouse/domain/sessions';
import { DEFAULT_SIGN_IN_LIFETIME_MS, DEFAULT_SIGN_IN_LIMITS } from '@gatehouse/domain/sign-in';
import { masterKeySettings } from '@gatehouse/installation/master-key';
import {
  type Environment,
  host,
  installationSettings,
  oneOf,
  opsSettings,
  parseSettings as parse,
  type SettingsOf,
  wholeNumber,
} from '@gatehouse/installation/settings';
import { LOG_LEVELS } from '../logging/log.ts';
import { cacheSettings } from './cache-settings.ts';
import { tracingSettings } from './tracing-settings.ts';
import { duration, origin, origins, proxies } from './values.ts';

const { address, account, knownAddress } = DEFAULT_SIGN_IN_LIMITS;

export const serverSettings = {
  ...installationSettings,
  ...masterKeySettings,
  ...cacheSettings,
  DATABASE_POOL_SIZE: wholeNumber(1, 999).default(10),
  HOST: host.default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  ...opsSettings,
  /** Per process. */
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  /** Per process. Default: a quarter of `MAX_CONNECTIONS`. */
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).optional(),
  SIGN_IN_TOKEN_TTL: duration('3650d').default(DEFAULT_SIGN_IN_LIFETIME_MS),
  SIGN_IN_ADDRESS_ATTEMPTS: wholeNumber(1, 1_000_000).default(address.attempts),
  SIGN_IN_ADDRESS_WINDOW: duration('30d').default(address.windowMs),
  SIGN_IN_ACCOUNT_FAILURES: wholeNumber(1, 1_000_000).default(account.failures),
  SIGN_IN_ACCOUNT_PAUSE: duration('30d').default(account.pauseMs),
  SIGN_IN_KNOWN_ADDRESS_ATTEMPTS: wholeNumber(1, 1_000_000).default(knownAddress.attempts),
  SIGN_IN_KNOWN_ADDRESS_WINDOW: duration('30d').default(knownAddress.windowMs),
  SIGN_IN_KNOWN_ADDRESS_MEMORY: duration('365d').default(knownAddress.memoryMs),
  SESSION_IDLE: duration('30d').default(DEFAULT_SESSION_TIMES.idleMs),
  SESSION_LIFETIME: duration('30d').default(DEFAULT_SESSION_TIMES.lifetimeMs),
  TRUST_PROXY: proxies.optional(),
  /** Whether there are pages for browsers. */
  PAGES: oneOf('on', 'off').default('on'),
  /** The origin at which browsers find the pages. Default: a browser on the same machine only. */
  PUBLIC_URL: origin.optional(),
  CORS_ORIGINS: origins.default([]),
  LOG_LEVEL: oneOf(...LOG_LEVELS).default('info'),
  ACCESS_LOG: oneOf('on', 'off').default('off'),
  /** Whether to record the addresses from which tokens are used and refused; `off` also deletes them. */
  USAGE_ADDRESSES: oneOf('on', 'off').default('on'),
  ...tracingSettings,
  DRAIN_DELAY_MS: wholeNumber(0, 7_000, 'the end takes no more than 10 s in all').default(0),
  /** Number of processes that share the port. */
  WORKERS: wholeNumber(1, 64).default(1),
};

export type Settings = SettingsOf<typeof serverSettings>;

/** Parses the settings in the environment. All problems are reported at once, one line each. */
export function parseSettings(environment: Environment): Result<Settings, readonly string[]> {
  return parse(serverSettings, environment);
}
