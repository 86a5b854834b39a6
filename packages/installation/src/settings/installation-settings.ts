import { err, ok } from '@gatehouse/domain';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { databaseUrlProblem } from '@gatehouse/postgres';
import { readDatabaseUrlFile } from './database-url-file.ts';
import type { SettingsOf } from './parse-settings.ts';
import { host, name, oneOf, path, setting, wholeNumber } from './values.ts';

/** The URL of a database. Its messages never repeat the URL, which may contain a password. */
const url = setting((text) => {
  const problem = databaseUrlProblem(text);
  return problem === undefined ? ok(text) : err(problem);
});

/** The file is read together with the settings. */
const urlFile = setting((file) => readDatabaseUrlFile(file));

/** The settings that servers and commands of one installation share. */
export const installationSettings = {
  /** Default: the embedded database of the data folder. */
  DATABASE_URL: url.optional(),
  DATABASE_URL_FILE: urlFile.optional(),
  /** For the change feed, if `DATABASE_URL` leads to a connection pooler. */
  DATABASE_LISTEN_URL: url.optional(),
  DATABASE_LISTEN_URL_FILE: urlFile.optional(),
  /** In milliseconds; long enough for several heartbeats of the change feed, so that a delay does not count as a loss. */
  MAX_STALENESS_MS: wholeNumber(500, 60_000).default(1000),
  /** Relative to the working directory. */
  GATEHOUSE_DATA_DIR: path.default('.gatehouse'),
  TOKEN_FORMAT: oneOf(...TOKEN_FORMATS).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
};

export type InstallationSettings = SettingsOf<typeof installationSettings>;

/** Where servers answer health checks, and `gatehouse health` asks them. */
export const opsSettings = {
  OPS_HOST: host.default('127.0.0.1'),
  /** Servers without it choose any free port if the default is in use. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
};

export const DEFAULT_OPS_PORT = 8081;
