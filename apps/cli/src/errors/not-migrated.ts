import type { Migrated } from '../cli.ts';

/** Says why an extension's tables are missing or outdated. */
export function notMigrated({ name, error }: Migrated['failed'][number]): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The extension ${name} was not migrated: ${reason}.`;
}
