import { resolve } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import { z } from 'zod';
import { installationSettings } from './installation-settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses settings. An empty variable counts as unset. All problems are reported, one line each. */
export function parseSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Environment,
): Result<z.output<z.ZodObject<Shape>>, readonly string[]> {
  const set = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = z.object(shape).safeParse(Object.fromEntries(set));
  if (parsed.success) return ok(parsed.data);
  return err(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
}

/** The folder of the embedded database; undefined if the settings name another database. */
export function embeddedDataDir({ DATABASE_URL, GATEHOUSE_DATA_DIR }: Environment): string | undefined {
  if (DATABASE_URL) return undefined;
  return resolve(installationSettings.GATEHOUSE_DATA_DIR.parse(GATEHOUSE_DATA_DIR || undefined));
}
