import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '@gatehouse/embedded-postgres';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';

/** A PostgreSQL for a machine that runs other programs; no setting trades safety for speed. */
export const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
} as const;

/** Rights to create databases, to run a checkpoint before a measurement, and to load rows without their triggers. */
const rights = (role: string) => [
  `ALTER ROLE ${role} CREATEDB`,
  `GRANT pg_checkpoint TO ${role}`,
  `GRANT SET ON PARAMETER session_replication_role TO ${role}`,
];

/** Opens a PostgreSQL of the benchmark in a folder. */
export function openOwnPostgres(
  dataDir: string,
  settings: EmbeddedPostgresOptions['settings'] = {},
): Promise<EmbeddedPostgres> {
  return openWithRights({ dataDir, settings: { ...POSTGRES_SETTINGS, ...settings } }, rights);
}

/** Returns the URL of another database of the same server. */
export function urlOf(postgres: EmbeddedPostgres, database: string): string {
  const url = new URL(postgres.url);
  url.pathname = database;
  return url.href;
}
