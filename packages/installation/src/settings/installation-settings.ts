import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { databaseUrlProblem } from '@gatehouse/postgres';
import { z } from 'zod';
import { databaseUrlFile } from './database-url-file.ts';
import { name, oneOf, wholeNumber } from './values.ts';

/** Its messages never repeat the URL, which may contain a password. */
const url = z
  .string()
  .superRefine((text, context) => {
    const message = databaseUrlProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .optional();

/** The settings that servers and commands of one installation share. */
export const installationSettings = {
  /** Default: the embedded database of the data folder. */
  DATABASE_URL: url,
  DATABASE_URL_FILE: databaseUrlFile,
  /** For the change feed, if `DATABASE_URL` leads to a connection pooler. */
  DATABASE_LISTEN_URL: url,
  DATABASE_LISTEN_URL_FILE: databaseUrlFile,
  /** In milliseconds; long enough for several heartbeats of the change feed, so that a delay does not count as a loss. */
  MAX_STALENESS_MS: wholeNumber(500, 60_000).default(1000),
  /** Relative to the working directory. */
  GATEHOUSE_DATA_DIR: z.string().min(1).default('.gatehouse'),
  TOKEN_FORMAT: oneOf(...TOKEN_FORMATS).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
};

export type InstallationSettings = z.output<z.ZodObject<typeof installationSettings>>;
