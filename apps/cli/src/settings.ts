import { err, ok, type Result } from '@gatehouse/domain';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { embeddedPostgresSettings } from '@gatehouse/embedded-postgres';
import { postgresSettings } from '@gatehouse/postgres';
import { z } from 'zod';
import { usageError } from './errors/command-error.ts';

const { DATABASE_URL, DATABASE_LISTEN_URL, MAX_STALENESS_MS } = postgresSettings;

const name = z.string().regex(/^\P{Cc}{1,200}$/u, 'must be 1 to 200 characters without control characters');

const schema = z.object({
  DATABASE_URL,
  DATABASE_LISTEN_URL,
  ...embeddedPostgresSettings,
  TOKEN_FORMAT: z.enum(TOKEN_FORMATS, `must be one of ${TOKEN_FORMATS.join(', ')}`).default('paseto'),
  TOKEN_ISSUER: name.default('gatehouse'),
  TOKEN_AUDIENCE: name.default('gatehouse-api'),
  MAX_STALENESS_MS,
});

/** The settings that commands need; those of the master key are read by the commands that sign. */
export type Settings = z.output<typeof schema>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; everything that is wrong with them is said at once. */
export function readSettings(environment: Environment): Settings {
  const parsed = parseSettings(environment);
  if (parsed.ok) return parsed.value;
  throw usageError(parsed.error.join('; '));
}

/** Reads the settings, or says what is wrong with each. */
export function parseSettings(environment: Environment): Result<Settings, readonly string[]> {
  const parsed = schema.safeParse(withoutEmpty(environment));
  return parsed.success ? ok(parsed.data) : err(problemsOf(parsed.error));
}

/** An empty variable is an unset one. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

export function problemsOf(error: z.ZodError): readonly string[] {
  return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
}
