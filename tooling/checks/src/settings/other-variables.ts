/** Which programs read a variable, and its meaning in Markdown for docs/operate. */
type Cells = readonly [readBy: 'both' | 'commands' | 'server', meaning: string];

/** Variables that the code of shipped programs reads, and that are no settings. */
export const OTHER_VARIABLES: Readonly<Record<string, Cells>> = {
  GATEHOUSE_AS: ['commands', 'the admin for whom they act, as [`--as`](../administer/cli.md) names one'],
  NO_COLOR: ['commands', 'if it is not empty: no colours'],
  TERM: ['commands', '`dumb`: no colours and no progress'],
  CI: ['commands', 'if it is set: no progress'],
  PGSSLMODE: ['both', '[the mode of TLS](database-tls.md) where the URL of the database has none'],
  PATH: ['both', "passed to the embedded PostgreSQL's programs"],
  NODE_OPTIONS: ['both', "Node's own options; not passed to the process that bundles a program"],
  NODE_COMPILE_CACHE_PORTABLE: [
    'server',
    "Node's own; the server sets it to 1 for its cache of compiled code",
  ],
};

/** Variables that only Node and libraries read: names in Markdown, then the same cells. */
export const VARIABLES_OF_LIBRARIES: readonly (readonly [names: string, ...Cells])[] = [
  [
    '`PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGPASSFILE`, `PGDATABASE`',
    'both',
    "parts of the URL of the database that it omits; Node's `pg` library reads them",
  ],
  [
    '`NODE_EXTRA_CA_CERTS`',
    'both',
    'a file with certificates of your own authority, for the [database](database-tls.md), [mail](mail.md), [webhooks](webhooks.md) and [identity providers](identity-providers/README.md)',
  ],
  [
    '`OTEL_EXPORTER_OTLP_COMPRESSION`, `..._CERTIFICATE`, `..._CLIENT_CERTIFICATE`, `..._CLIENT_KEY`',
    'server',
    '`gzip`; files for TLS to the collector',
  ],
  [
    '`TMPDIR`',
    'both',
    'has the socket of the embedded PostgreSQL, if the data folder has a [long path](embedded-database.md#where-the-socket-is)',
  ],
  [
    '`HTTPS_PROXY`, `NODE_USE_ENV_PROXY`',
    'server',
    'a proxy to [identity providers](identity-providers/README.md); webhooks do not use it',
  ],
];
