import { describe, expect, it } from 'vitest';
import { cacheLimits } from './cache-settings.ts';
import { parseSettings, type Settings } from './settings.ts';

const parsed = (environment: Record<string, string> = {}): Settings => {
  const result = parseSettings(environment);
  return result.ok ? result.value : expect.fail(result.error.join());
};
const problems = (environment: Record<string, string>) => {
  const result = parseSettings(environment);
  return result.ok ? [] : result.error;
};

describe('settings', () => {
  it('have defaults for a first start', () => {
    expect(parsed()).toEqual({
      DATABASE_POOL_SIZE: 10,
      MAX_STALENESS_MS: 1000,
      CACHE_TOKENS: 100_000,
      CACHE_TOKENS_MB: 200,
      CACHE_ORGANIZATIONS: 100_000,
      CACHE_ORGANIZATIONS_MB: 100,
      CACHE_MEMBERSHIPS: 200_000,
      GATEHOUSE_DATA_DIR: '.gatehouse',
      IDENTITY_PROVIDERS_FILE: [],
      HOST: '127.0.0.1',
      PORT: 8080,
      OPS_HOST: '127.0.0.1',
      MAX_CONNECTIONS: 10_000,
      TOKEN_FORMAT: 'paseto',
      TOKEN_ISSUER: 'gatehouse',
      TOKEN_AUDIENCE: 'gatehouse-api',
      SIGN_IN_TOKEN_TTL: 30 * 86_400_000,
      SIGN_IN_ADDRESS_ATTEMPTS: 100,
      SIGN_IN_ADDRESS_WINDOW: 15 * 60_000,
      SIGN_IN_ACCOUNT_FAILURES: 100,
      SIGN_IN_ACCOUNT_PAUSE: 60_000,
      SIGN_IN_KNOWN_ADDRESS_ATTEMPTS: 10,
      SIGN_IN_KNOWN_ADDRESS_WINDOW: 15 * 60_000,
      SIGN_IN_KNOWN_ADDRESS_MEMORY: 90 * 86_400_000,
      SESSION_IDLE: 30 * 60_000,
      SESSION_LIFETIME: 12 * 3_600_000,
      USAGE_ADDRESSES: 'on',
      PASSWORD_SIGN_IN: 'on',
      SMTP_TLS: 'on',
      PAGES: 'on',
      CORS_ORIGINS: [],
      LOG_LEVEL: 'info',
      ACCESS_LOG: 'off',
      OTEL_SERVICE_NAME: 'gatehouse',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      DRAIN_DELAY_MS: 0,
      WEBHOOK_HTTP: 'refuse',
      WORKERS: 1,
    });
  });

  it('are parsed', () => {
    expect(
      parsed({
        PORT: '0',
        OPS_PORT: '9090',
        TOKEN_FORMAT: 'jwt',
        SIGN_IN_TOKEN_TTL: '12h',
        SESSION_IDLE: '5m',
        SESSION_LIFETIME: '1h',
        CORS_ORIGINS: 'https://a.example, http://localhost:3000',
        DRAIN_DELAY_MS: '2500',
        ACCESS_LOG: 'on',
        PUBLIC_URL: 'https://gatehouse.example:8443',
      }),
    ).toMatchObject({
      PORT: 0,
      OPS_PORT: 9090,
      TOKEN_FORMAT: 'jwt',
      SIGN_IN_TOKEN_TTL: 43_200_000,
      SESSION_IDLE: 300_000,
      SESSION_LIFETIME: 3_600_000,
      CORS_ORIGINS: ['https://a.example', 'http://localhost:3000'],
      DRAIN_DELAY_MS: 2500,
      ACCESS_LOG: 'on',
      PUBLIC_URL: 'https://gatehouse.example:8443',
    });
  });

  it('limit the cache in megabytes, and 0 entries disable it', () => {
    const limits = cacheLimits(
      parsed({ CACHE_TOKENS: '0', CACHE_TOKENS_MB: '1', CACHE_MEMBERSHIPS: '10000000' }),
    );
    expect(limits).toEqual({
      tokens: { entries: 0, bytes: 1_000_000 },
      organizations: { entries: 100_000, bytes: 100_000_000 },
      memberships: 10_000_000,
    });
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    [' 10.0.0.5 ', '10.0.0.5'],
    ['0.0.0.0', '0.0.0.0'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['[::]', '::'],
    ['[2001:DB8::7]', '2001:DB8::7'],
    ['[fe80::1%eth0]', 'fe80::1%eth0'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
    ['localhost', 'localhost'],
    ['node-1.internal.', 'node-1.internal.'],
    ['bücher.example', 'bücher.example'],
  ])('listen at an address as people write it: %s', (written, address) => {
    const { HOST, OPS_HOST } = parsed({ HOST: written, OPS_HOST: written });
    expect([HOST, OPS_HOST]).toEqual([address, address]);
  });

  it('trust a proxy whose address is written in brackets', () => {
    const trusted = parsed({ TRUST_PROXY: '[::1], [2001:db8::]/32' }).TRUST_PROXY;
    expect(['::1', '2001:db8::9', '::2'].map((address) => trusted?.check(address, 'ipv6'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('name the proxies that are trusted', () => {
    expect(parsed({ TRUST_PROXY: 'off' }).TRUST_PROXY).toBeUndefined();
    const trusted = parsed({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,2001:db8::/32' }).TRUST_PROXY;
    expect(trusted?.check('127.0.0.1')).toBe(true);
    expect(trusted?.check('10.9.8.7')).toBe(true);
    expect(trusted?.check('2001:db8::1', 'ipv6')).toBe(true);
    expect(trusted?.check('127.0.0.2')).toBe(false);
  });

  it.each([
    ...['HOST', 'OPS_HOST'].map((name): [string, string[]] => [
      name,
      [
        ' ',
        '*',
        '*:8080',
        '127.0.0.1:8080',
        'localhost:8080',
        '[::1]:8080',
        '[::1',
        '::1]',
        '[]',
        '[127.0.0.1]',
        '[localhost]',
        '::1:::2',
        'http://127.0.0.1',
        'http://[::1]:8080',
        '127.0.0.1/8',
        '"127.0.0.1"',
        "'::1'",
        '127.0.0.1, ::1',
        'a b',
        'ada@localhost',
        'a\nb',
        'x'.repeat(201),
      ],
    ]),
    ['PORT', ['65536', '-1', '1.5', '1e3', ' 80', '٣', '0x50']],
    ['OPS_PORT', ['x']],
    ['MAX_CONNECTIONS', ['0', 'unlimited']],
    ['MAX_CONNECTIONS_PER_ADDRESS', ['0', 'off']],
    ['DATABASE_POOL_SIZE', ['0', 'x']],
    ['SIGN_IN_TOKEN_TTL', ['0s', '30', '30 d', '1x', '11y', '999999999w', '3651d']],
    ['SESSION_IDLE', ['0m', '31d']],
    ['SESSION_LIFETIME', ['12', '31d']],
    ['SIGN_IN_ADDRESS_ATTEMPTS', ['0']],
    ['PASSWORD_SIGN_IN', ['off', 'On', 'break_glass']],
    ['SMTP_TLS', ['starttls', 'Off']],
    [
      'SMTP_URL',
      ['mail.example', 'https://mail.example', 'smtp://ada@mail.example', 'smtp://mail.example/x'],
    ],
    ['MAIL_FROM', ['Gatehouse', 'smtps://ada:hunter2@mail.example']],
    ['PAGES', ['yes', 'On', '1']],
    [
      'PUBLIC_URL',
      [
        'gatehouse.example',
        'https://gatehouse.example/',
        'https://gatehouse.example/app',
        'https://Gatehouse.example',
        'https://gatehouse.example:443',
        'https://ada@gatehouse.example',
        'https://*.example',
        'ftp://gatehouse.example',
        'https://a.example, https://b.example',
        'null',
      ],
    ],
    [
      'TRUST_PROXY',
      ['on', 'true', '10.0.0.0/33', '10.0.0', '::/129', '10.0.0.0/8/8', '10.0.0.0/', '1.2.3.4,'],
    ],
    [
      'CORS_ORIGINS',
      [
        '*',
        'null',
        'app.example',
        'https://a.example/',
        'https://A.example',
        'ftp://a.example',
        'https://a.example,',
      ],
    ],
    ['LOG_LEVEL', ['INFO', 'verbose']],
    ['ACCESS_LOG', ['true']],
    ['DRAIN_DELAY_MS', ['5s', '7001']],
    ['WORKERS', ['0', '65', '2.0', 'auto']],
    ['TOKEN_ISSUER', ['a\nb', 'x'.repeat(201), '🔑'.repeat(51)]],
  ])('%s accepts nothing else', (name, values) => {
    for (const value of values) {
      const [problem = '', ...more] = problems({ [name]: value });
      expect([value, problem]).toEqual([value, expect.stringMatching(new RegExp(`^${name} must be .+`))]);
      expect(more).toEqual([]);
    }
  });

  it('explain the maximum of the drain delay', () => {
    expect(problems({ DRAIN_DELAY_MS: '60000' })).toEqual([
      'DRAIN_DELAY_MS must be a whole number from 0 to 7000: a stop takes at most 10 s in all',
    ]);
  });
});
