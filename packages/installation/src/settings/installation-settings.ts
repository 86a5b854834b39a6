import { err, ok, type Result } from '@gatehouse/domain';
import { DEFAULT_SESSION_TIMES } from '@gatehouse/domain/sessions';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { MAIL_SERVER_FORM, parseMailServer, parseSender, SENDER_FORM } from '@gatehouse/mail/settings';
import { DATABASE_URL_FORM, databaseUrlProblem } from '@gatehouse/postgres';
import { OPEN_NETWORKS_FORM, parseOpenNetworks } from '@gatehouse/webhooks/open-networks';
import { readProvidersFile } from './identity-providers/providers-file.ts';
import type { SettingsOf } from './parse-settings.ts';
import { type FiledValue, readFiledValue } from './secret-file.ts';
import { duration, host, name, oneOf, path, setting, wholeNumber } from './values.ts';

/**
 * Reads a file with the URL of a database. The error never repeats the content of the file, because it may contain a
 * password.
 *
 * @param known a URL that was checked before. If the file has this URL, it is not checked again
 */
export function readDatabaseUrlFile(path: string, known?: string): Result<FiledValue<string>, string> {
  // A URL was given instead of a file name. The message must not repeat it, because it may contain a password.
  if (path.includes('://')) return err('must be the name of a file, but is a URL');
  return readFiledValue(path, DATABASE_URL_FORM, (text) => (text === known ? ok(text) : parseUrl(text)));
}

/** Checks the URL of a database. The error never repeats the URL, which may contain a password. */
function parseUrl(text: string): Result<string, string> {
  const problem = databaseUrlProblem(text);
  return problem === undefined ? ok(text) : err(problem);
}

const url = setting(DATABASE_URL_FORM, parseUrl);

/** The setting with the name of a file that contains a URL. The file is read when the settings are parsed. */
const urlFile = setting('the path of a private file', (file) => readDatabaseUrlFile(file));

/** The setting with the name of the file that lists the identity providers. */
const providersFile = setting('the path of a private file', readProvidersFile);

/** Checks the URL of a mail server. The value is the URL itself, which may contain a password. */
function checkMailServer(text: string): Result<string, string> {
  const parsed = parseMailServer(text);
  return parsed.ok ? ok(text) : parsed;
}

/** Reads a file with the URL of a mail server. The error never repeats the content of the file. */
export const readMailServerFile = (path: string): Result<FiledValue<string>, string> =>
  path.includes('://')
    ? err('must be the name of a file, but is a URL')
    : readFiledValue(path, MAIL_SERVER_FORM, checkMailServer);

/** The settings that servers and commands of one installation share. */
export const installationSettings = {
  /** Default: the embedded database of the data folder. */
  DATABASE_URL: url.optional(),
  DATABASE_URL_FILE: urlFile.optional(),
  /**
   * A URL that leads to the database directly, for the change feed. Needed if `DATABASE_URL` leads to a connection
   * pooler.
   */
  DATABASE_LISTEN_URL: url.optional(),
  DATABASE_LISTEN_URL_FILE: urlFile.optional(),
  /**
   * Caches are used only while the change feed has reported all changes up to this many milliseconds ago. The minimum
   * is long enough for several heartbeats of the feed, so that a single late heartbeat does not turn the caches off.
   */
  MAX_STALENESS_MS: wholeNumber(500, 60_000).default(1000),
  /** The path of the data folder. A relative path is relative to the working directory. */
  GATEHOUSE_DATA_DIR: path.default('.gatehouse'),
  /** How long after its last request, and after the sign-in at the longest, a session of a browser ends. */
  SESSION_IDLE: duration('30d').default(DEFAULT_SESSION_TIMES.idleMs),
  SESSION_LIFETIME: duration('30d').default(DEFAULT_SESSION_TIMES.lifetimeMs),
  /** The identity providers with which people may sign in. Default: none. */
  IDENTITY_PROVIDERS_FILE: providersFile.default([]),
  /** The mail server to which messages are handed over. Default: none, and nothing is mailed. */
  SMTP_URL: setting(MAIL_SERVER_FORM, checkMailServer).optional(),
  SMTP_URL_FILE: setting('the path of a private file', readMailServerFile).optional(),
  /** `off`: the mail server need not prove who it is, and everything is sent in plain text. */
  SMTP_TLS: oneOf('on', 'off').default('on'),
  /** From whom messages are, such as `Gatehouse <gatehouse@acme.example>`. */
  MAIL_FROM: setting(SENDER_FORM, parseSender).optional(),
  /** Networks that are not public, but to which webhooks may send. Default: none. */
  WEBHOOK_NETWORKS: setting(OPEN_NETWORKS_FORM, parseOpenNetworks).optional(),
  /** `allow`: webhooks may also have addresses with http. */
  WEBHOOK_HTTP: oneOf('refuse', 'allow').default('refuse'),
  TOKEN_FORMAT: oneOf(...TOKEN_FORMATS).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
};

export type InstallationSettings = SettingsOf<typeof installationSettings>;

/**
 * The address of the operations listener. Servers answer health checks at this address, and `gatehouse health` sends
 * health checks to it.
 */
export const opsSettings = {
  OPS_HOST: host.default('127.0.0.1'),
  /** If this is not set, servers use the default port, or any free port if the default port is in use. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
};

export const DEFAULT_OPS_PORT = 8081;
