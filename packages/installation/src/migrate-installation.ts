import type { Extension } from '@gatehouse/extension-kit';
import {
  createPostgresRepositories,
  type Database,
  type ExtensionMigrations,
  extensionStates,
  type MigrateOptions,
  migrateExtension,
  migrateToLatest,
} from '@gatehouse/postgres';
import { refuseNamesOfServices } from './service-names.ts';

/** The result of migrating Gatehouse and its extensions. */
export interface MigrationReport {
  /** The names of the applied migrations, in order. An extension's migrations begin with its name. */
  readonly applied: readonly string[];
  /** The extensions that could not be migrated. Their migrations before the one that failed stay applied. */
  readonly failed: readonly FailedExtension[];
  /** The extensions that were migrated for the first time. */
  readonly installed: readonly string[];
}

export interface FailedExtension {
  readonly name: string;
  readonly error: unknown;
}

/**
 * Brings the schema of Gatehouse up to date, and then the schema of each extension. If one extension fails, the others
 * are still migrated.
 *
 * @throws {SetupFault} if an extension has the name of a service; no extension is then migrated
 */
export async function migrateInstallation(
  database: Database,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<MigrationReport> {
  const applied = [...(await migrateToLatest(database, options))];
  await refuseNamesOfServices(createPostgresRepositories(database).services, extensions);
  const ofExtensions = await migrateExtensions(database, extensions, options);
  return { ...ofExtensions, applied: [...applied, ...ofExtensions.applied] };
}

/**
 * Brings the schema of each extension up to date. If all extensions are up to date, this runs only two SQL statements
 * in total.
 */
export async function migrateExtensions(
  database: Database,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<MigrationReport> {
  const applied: string[] = [];
  const installed: string[] = [];
  const onApplied = async (name: string) => {
    applied.push(name);
    await options?.onApplied?.(name);
  };
  const { loaded, failed } = await loadSequences(extensions);
  for (const extension of await withoutCurrent(database, loaded)) {
    const { name } = extension;
    try {
      const { isNew } = await migrateExtension(database, extension, { ...options, onApplied });
      if (isNew) installed.push(name);
    } catch (error) {
      failed.push({ name, error });
    }
  }
  return { applied, failed, installed };
}

async function loadSequences(extensions: readonly Extension[]) {
  const loaded: ExtensionMigrations[] = [];
  const failed: FailedExtension[] = [];
  const loads = await Promise.allSettled(extensions.map((extension) => extension.postgres()));
  for (const [index, { name }] of extensions.entries()) {
    const load = loads[index] as (typeof loads)[number];
    if (load.status === 'fulfilled') loaded.push({ name, migrations: load.value.migrations });
    else failed.push({ name, error: load.reason });
  }
  return { loaded, failed };
}

/**
 * Returns the extensions without those whose schema is up to date. If the states of the schemas cannot be read, returns
 * all extensions: the migration of each one then fails with the reason.
 */
async function withoutCurrent(
  database: Database,
  extensions: readonly ExtensionMigrations[],
): Promise<readonly ExtensionMigrations[]> {
  const states = await extensionStates(database, extensions).catch(() => []);
  return extensions.filter((_, index) => states[index] !== 'current');
}
