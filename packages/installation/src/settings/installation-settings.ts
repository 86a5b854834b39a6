import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { databaseUrlProblem } from '@gatehouse/postgres';
import { z } from 'zod';
import { name, oneOf, wholeNumber } from './values.ts';

/** The messages never repeat the URL: it may hold a password. */
const url = z
  .string()
  .superRefine((text, context) => {
    const message = databaseUrlProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .optional();

/** The settings that servers and commands of one installation share. */
export const installationSettings = {
  /** Without it the embedded database of the data folder is used. */
  DATABASE_URL: url,
  /** For the change feed, where `DATABASE_URL` leads through a connection pooler. */
  DATABASE_LISTEN_URL: url,
  /** In milliseconds. Several heartbeats of the change feed have to fit in, or every delay would be taken for a loss. */
  MAX_STALENESS_MS: wholeNumber(500, 60_000).default(1000),
  /** A relative path counts from the working directory. */
  GATEHOUSE_DATA_DIR: z.string().min(1).default('.gatehouse'),
  TOKEN_FORMAT: oneOf(...TOKEN_FORMATS).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
};

export type InstallationSettings = z.output<z.ZodObject<typeof installationSettings>>;
