import pg from 'pg';
import { z } from 'zod';

/** The settings of a PostgreSQL of one's own. The messages never repeat the URL: it may hold a password. */
export const postgresSettings = {
  DATABASE_URL: z
    .string()
    .refine(isConnectionString, 'must be a URL such as postgres://user:password@host:5432/database')
    .optional(),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
    .transform(Number)
    .default(10),
};

function isConnectionString(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text)) return false;
  try {
    // Reads the URL, as it will be read to connect; connects to nothing.
    new pg.Client({ connectionString: text });
    return true;
  } catch {
    return false;
  }
}
