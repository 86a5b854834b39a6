import { BlockList, isIP } from 'node:net';
import { err, ok, type Result } from '@gatehouse/domain';
import { DEFAULT_SIGN_IN_LIFETIME_MS, DEFAULT_SIGN_IN_LIMITS } from '@gatehouse/domain/sign-in';
import { masterKeySettings } from '@gatehouse/installation/master-key';
import {
  duration,
  type Environment,
  host,
  installationSettings,
  oneOf,
  opsSettings,
  parseSettings as parse,
  type SettingsOf,
  setting,
  text,
  wholeNumber,
  withoutBrackets,
} from '@gatehouse/installation/settings';
import { LOG_LEVELS } from '../logging/log.ts';
import { cacheSettings } from './cache-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/** Splits a text at commas, and ignores spaces around them. */
const list = (written: string) => written.split(',').map((item) => item.trim());

const ORIGINS_FORM = 'origins such as https://app.example, with commas between them';

export const origins = setting(ORIGINS_FORM, (written) => {
  const items = list(written);
  return items.every(isOrigin) ? ok(items) : err(`must be ${ORIGINS_FORM}`);
});

export const origin = text(
  'an origin such as https://gatehouse.example, without a path',
  (written) => isOrigin(written) && !written.includes('*'),
);

function isOrigin(item: string): boolean {
  return /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
}

const PROXIES_FORM = 'off, or IP addresses and networks such as 10.0.0.0/8, with commas between them';

/** The addresses and networks of trusted proxies. The text `off` means that there are none. */
export const proxies = setting(PROXIES_FORM, (written) => {
  if (written === 'off') return ok(undefined);
  const trusted = new BlockList();
  return list(written).every((item) => addNetwork(trusted, item))
    ? ok(trusted)
    : err(`must be ${PROXIES_FORM}`);
});

function addNetwork(trusted: BlockList, item: string): boolean {
  const [written = '', prefix, ...more] = item.split('/');
  const address = withoutBrackets(written);
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (family === 0 || more.length > 0 || !(length <= bits)) return false;
  trusted.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  return true;
}

const { address, account, knownAddress } = DEFAULT_SIGN_IN_LIMITS;

export const serverSettings = {
  ...installationSettings,
  ...masterKeySettings,
  ...cacheSettings,
  DATABASE_POOL_SIZE: wholeNumber(1, 999).default(10),
  HOST: host.default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  ...opsSettings,
  /** The maximum number of client connections of each process. */
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  /**
   * The maximum number of connections from one client address to each process. Default: a quarter of the connections of
   * a process, and at most 500.
   */
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).optional(),
  SIGN_IN_TOKEN_TTL: duration('3650d').default(DEFAULT_SIGN_IN_LIFETIME_MS),
  SIGN_IN_ADDRESS_ATTEMPTS: wholeNumber(1, 1_000_000).default(address.attempts),
  SIGN_IN_ADDRESS_WINDOW: duration('30d').default(address.windowMs),
  SIGN_IN_ACCOUNT_FAILURES: wholeNumber(1, 1_000_000).default(account.failures),
  SIGN_IN_ACCOUNT_PAUSE: duration('30d').default(account.pauseMs),
  SIGN_IN_KNOWN_ADDRESS_ATTEMPTS: wholeNumber(1, 1_000_000).default(knownAddress.attempts),
  SIGN_IN_KNOWN_ADDRESS_WINDOW: duration('30d').default(knownAddress.windowMs),
  SIGN_IN_KNOWN_ADDRESS_MEMORY: duration('365d').default(knownAddress.memoryMs),
  /**
   * `break-glass`: the users of an account whose admins sign in with an identity provider cannot sign in with a password,
   * except those for whom the operator opens it.
   */
  PASSWORD_SIGN_IN: oneOf('on', 'break-glass').default('on'),
  TRUST_PROXY: proxies.optional(),
  /** Whether the server has web pages for browsers. */
  PAGES: oneOf('on', 'off').default('on'),
  /** The origin in the URL of the web pages. Without it, only browsers on the same machine can use the pages. */
  PUBLIC_URL: origin.optional(),
  CORS_ORIGINS: origins.default([]),
  LOG_LEVEL: oneOf(...LOG_LEVELS).default('info'),
  ACCESS_LOG: oneOf('on', 'off').default('off'),
  /**
   * Whether to record the client addresses from which tokens are used and refused. `off` also deletes the recorded
   * addresses.
   */
  USAGE_ADDRESSES: oneOf('on', 'off').default('on'),
  ...tracingSettings,
  DRAIN_DELAY_MS: wholeNumber(0, 7_000, 'a stop takes at most 10 s in all').default(0),
  /** The number of processes that answer requests at the same port. */
  WORKERS: wholeNumber(1, 64).default(1),
};

export type Settings = SettingsOf<typeof serverSettings>;

/** Parses the settings in the environment. All problems are reported at once, one line each. */
export function parseSettings(environment: Environment): Result<Settings, readonly string[]> {
  return parse(serverSettings, environment);
}
