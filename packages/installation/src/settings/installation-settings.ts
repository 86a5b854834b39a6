import { err, ok, type Result } from '@gatehouse/domain';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { DATABASE_URL_FORM, databaseUrlProblem } from '@gatehouse/postgres';
import type { SettingsOf } from './parse-settings.ts';
import { type FiledValue, readFiledValue } from './secret-file.ts';
import { host, name, oneOf, path, setting, wholeNumber } from './values.ts';

/**
 * Reads a file with the URL of a database. A problem never repeats the content of the file.
 *
 * @param known a URL that needs no check, because it was read before
 */
export function readDatabaseUrlFile(path: string, known?: string): Result<FiledValue<string>, string> {
  // Otherwise a message would repeat the password as the name of a file.
  if (path.includes('://')) return err('must be the name of a file, but is a URL');
  return readFiledValue(path, DATABASE_URL_FORM, (text) => (text === known ? ok(text) : parseUrl(text)));
}

/** A problem never repeats the URL, which may contain a password. */
function parseUrl(text: string): Result<string, string> {
  const problem = databaseUrlProblem(text);
  return problem === undefined ? ok(text) : err(problem);
}

const url = setting(parseUrl);

/** The file is read together with the settings. */
const urlFile = setting((file) => readDatabaseUrlFile(file));

/** The settings that servers and commands of one installation share. */
export const installationSettings = {
  /** Default: the embedded database of the data folder. */
  DATABASE_URL: url.optional(),
  DATABASE_URL_FILE: urlFile.optional(),
  /** The URL for the change feed, if `DATABASE_URL` leads to a connection pooler. */
  DATABASE_LISTEN_URL: url.optional(),
  DATABASE_LISTEN_URL_FILE: urlFile.optional(),
  /**
   * The limit in milliseconds. It is long enough for several heartbeats of the change feed, so that a delay does not count
   * as a loss.
   */
  MAX_STALENESS_MS: wholeNumber(500, 60_000).default(1000),
  /** Relative to the working directory. */
  GATEHOUSE_DATA_DIR: path.default('.gatehouse'),
  TOKEN_FORMAT: oneOf(...TOKEN_FORMATS).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
};

export type InstallationSettings = SettingsOf<typeof installationSettings>;

/** The address at which servers answer health checks and `gatehouse health` sends them. */
export const opsSettings = {
  OPS_HOST: host.default('127.0.0.1'),
  /** Servers without it choose any free port if the default is in use. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
};

export const DEFAULT_OPS_PORT = 8081;
