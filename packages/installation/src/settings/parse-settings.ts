import { resolve } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import { installationSettings } from './installation-settings.ts';
import type { Setting } from './values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by the names of their environment variables. */
type Shape = Readonly<Record<string, Setting<unknown>>>;

type Values<S extends Shape> = { [Name in keyof S]: S[Name]['unset'] };
type OptionalIn<S extends Shape> = {
  [Name in keyof S]: undefined extends S[Name]['unset'] ? Name : never;
}[keyof S];

/** The type of the values of these settings. The value of an optional setting may be undefined. */
export type SettingsOf<S extends Shape> = Omit<Values<S>, OptionalIn<S>> &
  Partial<Pick<Values<S>, OptionalIn<S>>>;

/** Parses settings. A variable with an empty value counts as not set. The error has one line for each problem. */
export function parseSettings<S extends Shape>(
  shape: S,
  environment: Environment,
): Result<SettingsOf<S>, readonly string[]> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { parse, unset }] of Object.entries(shape)) {
    const text = environment[name];
    const parsed = text ? parse(text) : ok(unset);
    if (!parsed.ok) problems.push(`${name} ${parsed.error}`);
    else if (parsed.value !== undefined) values[name] = parsed.value;
  }
  for (const name of Object.keys(shape)) {
    if (environment[name] && environment[`${name}_FILE`]) {
      problems.push(`${name} and ${name}_FILE are both set: set one of them`);
    }
  }
  // The cast is safe, because the parser of each setting returns a value of the setting's type.
  return problems.length === 0 ? ok(values as SettingsOf<S>) : err(problems);
}

/** The folder of the embedded database; undefined if the settings name another database. */
export function embeddedDataDir(environment: Environment): string | undefined {
  const { DATABASE_URL, DATABASE_URL_FILE, GATEHOUSE_DATA_DIR } = environment;
  if (DATABASE_URL || DATABASE_URL_FILE) return undefined;
  return resolve(GATEHOUSE_DATA_DIR || installationSettings.GATEHOUSE_DATA_DIR.unset);
}
