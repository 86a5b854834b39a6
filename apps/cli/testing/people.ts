import { expect } from 'vitest';
import { aDatabase } from './a-database.ts';
import type { ProcessEnvironment } from './process.ts';
import { runHere } from './run-here.ts';

export const PASSWORD = 'a heavy press, twice';

/** Brings the schema up to date, and creates an account with the admin Ada. */
export async function givenPeople(settings: ProcessEnvironment): Promise<void> {
  await runHere(settings, ['migrate']);
  expect(await runHere(settings, ['account', 'create', '--name', 'Acme'])).toMatchObject({ stdout: '1\n' });
  const ada = ['--email', 'ada@acme.example', '--name', 'Ada', '--role', 'admin', '--password-stdin'];
  const created = await runHere(settings, ['user', 'create', '--account', '1', ...ada], { stdin: PASSWORD });
  expect(created, created.stderr).toMatchObject({ status: 0 });
}

/** Creates a migrated database with an account and the admin Ada, as whom commands act. */
export async function anInstallation() {
  const database = await aDatabase({ isMigrated: true });
  const settings: ProcessEnvironment = { ...database.settings, GATEHOUSE_AS: 'ada@acme.example' };
  await givenPeople(settings);
  return { ...database, settings };
}
