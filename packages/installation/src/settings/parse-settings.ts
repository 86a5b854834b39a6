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
  const given = Object.fromEntries(set);
  const parsed = z.object(shape).safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...Object.keys(shape)
      .filter((name) => name in given && `${name}_FILE` in given)
      .map((name) => `${name} and ${name}_FILE are both set: set one of them`),
  ];
  return parsed.success && problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** The folder of the embedded database; undefined if the settings name another database. */
export function embeddedDataDir(environment: Environment): string | undefined {
  const { DATABASE_URL, DATABASE_URL_FILE, GATEHOUSE_DATA_DIR } = environment;
  if (DATABASE_URL || DATABASE_URL_FILE) return undefined;
  return resolve(installationSettings.GATEHOUSE_DATA_DIR.parse(GATEHOUSE_DATA_DIR || undefined));
}
