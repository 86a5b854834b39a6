import type { Extension } from '@gatehouse/extension-kit';
import { type Database, type MigrateOptions, migrateExtension, migrateToLatest } from '@gatehouse/postgres';

/** What was migrated, and what was not. */
export interface MigrationReport {
  /** The names of the applied migrations, in order; those of an extension have its name before them. */
  readonly applied: readonly string[];
  /** The extensions whose schema is not the one of this program; what their migrations did before the fault stays. */
  readonly failed: readonly FailedExtension[];
  /** The extensions that have tables for the first time. */
  readonly installed: readonly string[];
}

export interface FailedExtension {
  readonly name: string;
  readonly error: unknown;
}

/**
 * Brings the schema of Gatehouse up to date, and then that of each extension. One that fails keeps no other from being
 * migrated.
 */
export async function migrateInstallation(
  database: Database,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<MigrationReport> {
  const applied = [...(await migrateToLatest(database, options))];
  const ofExtensions = await migrateExtensions(database, extensions, options);
  return { ...ofExtensions, applied: [...applied, ...ofExtensions.applied] };
}

/** Brings the schema of each extension up to date. */
export async function migrateExtensions(
  database: Database,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<MigrationReport> {
  const applied: string[] = [];
  const failed: FailedExtension[] = [];
  const installed: string[] = [];
  const onApplied = async (name: string) => {
    applied.push(name);
    await options?.onApplied?.(name);
  };
  for (const { name, ...extension } of extensions) {
    try {
      const { migrations } = await extension.postgres();
      const { isNew } = await migrateExtension(database, { name, migrations }, { ...options, onApplied });
      if (isNew) installed.push(name);
    } catch (error) {
      failed.push({ name, error });
    }
  }
  return { applied, failed, installed };
}
