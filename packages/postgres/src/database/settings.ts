import pg from 'pg';
import { z } from 'zod';
import { tlsProblemOf } from './tls-parameters.ts';

/** The messages never repeat the URL: it may hold a password. */
const url = z
  .string()
  .superRefine((text, context) => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .optional();

/** The settings of a PostgreSQL of one's own. */
export const postgresSettings = {
  DATABASE_URL: url,
  /** For the change feed, where `DATABASE_URL` leads through a connection pooler. */
  DATABASE_LISTEN_URL: url,
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
    .transform(Number)
    .default(10),
  /** Several heartbeats of the change feed have to fit in, or every delay would be taken for a loss. */
  MAX_STALENESS_MS: z
    .string()
    .regex(
      /^([5-9]\d\d|[1-9]\d{3}|[1-5]\d{4}|60000)$/,
      'must be a whole number of milliseconds from 500 to 60000',
    )
    .transform(Number)
    .default(1000),
};

const NO_URL = 'must be a URL such as postgres://user:password@host:5432/database';

function problemOf(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return NO_URL;
  try {
    // Reads the URL, and the certificates and keys that it names, as they will be read to connect; connects to nothing.
    return tlsProblemOf(text, new pg.Client({ connectionString: text }));
  } catch (error) {
    if (!(error instanceof Error) || isOfUrl(error)) return NO_URL;
    const problem =
      'syscall' in error ? 'names a file that cannot be read' : 'has parameters that cannot be used';
    return `${problem}: ${error.message}`;
  }
}

/** pg's other messages name a parameter and repeat its value at most. */
function isOfUrl(error: Error): boolean {
  return error instanceof URIError || ('code' in error && error.code === 'ERR_INVALID_URL');
}
