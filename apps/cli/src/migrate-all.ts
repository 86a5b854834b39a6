import type { Extension } from '@gatehouse/extension-kit';
import { createSystemClock } from '@gatehouse/installation';
import { migrateInstallation } from '@gatehouse/installation/migrate';
import {
  createPostgresRepositories,
  type Database,
  type MigrateOptions,
  rekeyEmails,
} from '@gatehouse/postgres';
import type { Migrated } from './cli.ts';

/** Tokens are counted up to this number, so that counting is quick. */
const MAX_COUNTED = 100_000;

/** The maximum number of users with an outdated email key that are read and listed after a migration. */
const MAX_SHARED = 100;

/**
 * Migrates Gatehouse and its extensions. Also finds users with the same address in two spellings, and counts the tokens
 * that now also allow what a new extension adds.
 */
export async function migrateAll(
  database: Database,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<Migrated> {
  const report = await migrateInstallation(database, extensions, options);
  await rekeyEmails(database);
  const sharedEmails = await createPostgresRepositories(database).users.listStrayEmails(MAX_SHARED);
  const unlimitedTokens = report.installed.length > 0 ? await countUnlimited(database) : 0;
  return { ...report, unlimitedTokens, sharedEmails };
}

async function countUnlimited(database: Database): Promise<number> {
  const { tokens } = createPostgresRepositories(database);
  const query = { scope: '*', now: createSystemClock().now(), limit: MAX_COUNTED } as const;
  const inStates = (['active', 'being_replaced'] as const).map((state) => tokens.count({ ...query, state }));
  const [active = 0, replaced = 0] = await Promise.all(inStates);
  return active + replaced;
}
