import type { serverSettings } from '@gatehouse/server/settings';

type Shapes = typeof serverSettings;

/** The settings that have a row of their own: a setting with `_FILE` at its end shares the row of the other one. */
export type DocumentedSetting = Exclude<keyof Shapes, `${keyof Shapes}_FILE`>;

/** The meaning of a setting that may be unset, and what applies then. */
interface Optional {
  readonly unset: string;
  readonly meaning: string;
}

/** The meanings, in Markdown for docs/operate. A default that the shape has is not repeated here. */
export type Meanings = {
  readonly [Name in DocumentedSetting]: undefined extends Shapes[Name]['unset'] ? Optional : string;
};

const DATABASE = {
  DATABASE_URL: {
    unset: 'the embedded PostgreSQL',
    meaning:
      'PostgreSQL 15 or newer: [the primary](database.md), never a standby. Parameters for [TLS](database-tls.md) are at its end',
  },
  DATABASE_LISTEN_URL: {
    unset: '`DATABASE_URL`',
    meaning:
      'a direct connection for the change feed and `gatehouse token watch`, where `DATABASE_URL` leads through a connection pooler',
  },
  DATABASE_POOL_SIZE:
    'connections of one process; the change feed and `/ready` use one more each, and the [address probes](failover.md) one or two',
  GATEHOUSE_DATA_DIR:
    'the folder of the [embedded database](embedded-database.md), its demo data and its master key; a relative path starts at the current directory',
  GATEHOUSE_MASTER_KEY: {
    unset: 'made in the data folder',
    meaning:
      'encrypts the [signing keys](keys.md); required with `DATABASE_URL`; `gatehouse key new-master` prints one',
  },
} satisfies Partial<Meanings>;

const CACHES = {
  MAX_STALENESS_MS:
    'milliseconds without contact to the database after which a process stops using its caches; limits [how long a revocation takes](revocation.md)',
  CACHE_TOKENS:
    "entries of one process's cache of tokens; 0: no cache. The limit that is reached first applies, this one or the next",
  CACHE_TOKENS_MB: 'megabytes of that cache',
  CACHE_ORGANIZATIONS: 'entries of its cache of organizations, with the same rule',
  CACHE_ORGANIZATIONS_MB: 'megabytes of that cache',
  CACHE_MEMBERSHIPS: 'entries of its cache of memberships; 0: no cache. "Not a member" is an entry too',
} satisfies Partial<Meanings>;

const HTTP = {
  HOST: 'the address on which the server listens for HTTP. An IPv6 address may have brackets; with `0.0.0.0` or `::`, it listens on all addresses of the machine',
  PORT: 'the port of the server, for the API and the pages; 0: any free port',
  OPS_HOST: 'address of `/live`, `/ready` and `/metrics`, as `HOST`',
  OPS_PORT: { unset: '8081, or any free port if 8081 is in use', meaning: 'their port' },
  MAX_CONNECTIONS:
    'client connections to one process; beyond that, each new connection closes one that is idle or whose client does not read, and the log reports it',
  MAX_CONNECTIONS_PER_ADDRESS: {
    unset: "500, or a quarter of the process's connections if that is fewer",
    meaning:
      'connections of one client address (an IPv6 /64 counts as one) to one process; beyond that, the server closes new connections at once, and the log reports it. Addresses in `TRUST_PROXY` are not limited. A proxy on this machine that `TRUST_PROXY` does not name is one address, 127.0.0.1',
  },
  TRUST_PROXY: {
    unset: '`off`',
    meaning:
      'addresses and networks of [proxies](proxies.md), and of nothing else; their `X-Forwarded-For` is trusted',
  },
  USAGE_ADDRESSES:
    'whether the [addresses from which tokens are used](addresses-of-use.md) are recorded; `off` also deletes the stored ones',
  CORS_ORIGINS:
    "origins whose pages may call the API; [other origins can change nothing](pages.md#requests-from-pages-of-other-sites). No other origin may read Gatehouse's own pages",
} satisfies Partial<Meanings>;

const TOKENS = {
  TOKEN_FORMAT: 'the format of issued tokens; both are always accepted',
  TOKEN_ISSUER: 'the claim `iss`; changing it invalidates every token',
  TOKEN_AUDIENCE: 'the claim `aud`; changing it invalidates every token',
  SIGN_IN_TOKEN_TTL: "how long a sign-in's token is valid",
} satisfies Partial<Meanings>;

const SIGN_IN = {
  SESSION_IDLE: 'how long a browser stays signed in after its last request',
  SESSION_LIFETIME: 'how long a browser stays signed in at the longest, from the sign-in on',
  IDENTITY_PROVIDERS_FILE:
    'the file with the [identity providers](identity-providers/README.md) with which users may sign in',
  PASSWORD_SIGN_IN:
    '`break-glass`: [no passwords](passwords-off.md) in accounts whose admins sign in with an identity provider',
  SIGN_IN_ADDRESS_ATTEMPTS:
    'sign-in attempts of one client address in each window (an IPv6 /64 counts as one address, except in 64:ff9b::/96, where each IPv4 address counts)',
  SIGN_IN_ADDRESS_WINDOW: 'how long such a window is',
  SIGN_IN_ACCOUNT_FAILURES:
    'consecutive failures of one email; after these, one attempt in each pause is allowed',
  SIGN_IN_ACCOUNT_PAUSE: 'how long such a pause is',
  SIGN_IN_KNOWN_ADDRESS_ATTEMPTS:
    'attempts, in each window, of an address that signed in to the account before. They are counted separately: other failures of the account do not use them up',
  SIGN_IN_KNOWN_ADDRESS_WINDOW: 'how long such a window is',
  SIGN_IN_KNOWN_ADDRESS_MEMORY: 'how long an address stays known',
} satisfies Partial<Meanings>;

const MAIL = {
  SMTP_URL: { unset: 'none', meaning: 'the [mail server](mail.md); needs `MAIL_FROM` and `PUBLIC_URL`' },
  MAIL_FROM: { unset: 'none', meaning: 'from whom messages are' },
  SMTP_TLS: '`off`: messages are sent in plain text, for a mail server on the same machine',
} satisfies Partial<Meanings>;

const WEBHOOKS = {
  WEBHOOK_NETWORKS: {
    unset: 'none',
    meaning: 'networks that are not public, but to which [webhooks](webhooks.md) may send',
  },
  WEBHOOK_HTTP: '`allow`: webhooks may have addresses with http',
} satisfies Partial<Meanings>;

const PAGES = {
  PAGES: '`off`: no pages for browsers, only the API',
  PUBLIC_URL: {
    unset: 'none',
    meaning:
      'the origin at which browsers find the [pages](pages.md). A proxy in front of the server has to pass on that `Host`. Without this setting, the server shows pages by plain HTTP to a browser on the same machine only, at `http://localhost:8080`, and not through a proxy',
  },
} satisfies Partial<Meanings>;

const LOGS = {
  LOG_LEVEL: 'the least severe lines of the [log](logs.md)',
  ACCESS_LOG: '`on` writes a line for each request',
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    unset: 'none',
    meaning: 'the collector that receives [traces](monitoring.md#traces); without it, no traces are recorded',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { unset: 'none', meaning: 'headers for the collector' },
  OTEL_SERVICE_NAME: 'the name of the service in traces',
  OTEL_TRACES_SAMPLER: '[which requests are recorded](monitoring.md#traces)',
  OTEL_TRACES_SAMPLER_ARG: 'the fraction of the requests that the two samplers with `traceidratio` record',
} satisfies Partial<Meanings>;

const PROCESSES = {
  DRAIN_DELAY_MS:
    'how long a [stopping](health.md#stopping) server still accepts requests after `/ready` fails, in milliseconds',
  WORKERS: '[processes](servers.md#several-processes) that share the port',
} satisfies Partial<Meanings>;

/** All meanings. This does not compile if a setting of a program has none. */
export const MEANINGS: Meanings = {
  ...DATABASE,
  ...CACHES,
  ...HTTP,
  ...TOKENS,
  ...SIGN_IN,
  ...MAIL,
  ...WEBHOOKS,
  ...PAGES,
  ...LOGS,
  ...PROCESSES,
};

/** The settings by subject. Each subject is a heading of the page, so other pages and messages can link to it. */
export const SUBJECTS: Readonly<Record<string, Partial<Meanings>>> = {
  Database: DATABASE,
  Caches: CACHES,
  'HTTP interface': HTTP,
  Tokens: TOKENS,
  'Sign-in': SIGN_IN,
  Mail: MAIL,
  Webhooks: WEBHOOKS,
  Pages: PAGES,
  'Logs and traces': LOGS,
  'Stopping and workers': PROCESSES,
};
