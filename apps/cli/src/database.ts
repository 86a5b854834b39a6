import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UnavailableFault } from '@gatehouse/domain';
import type { Extension } from '@gatehouse/extension-kit';
import { refuseNamesOfServices } from '@gatehouse/installation';
import {
  migrateExtensionsIfEmbedded,
  migrateIfEmbedded,
  type OpenDatabase,
  openInstallationDatabase,
} from '@gatehouse/installation/open-database';
import type { InstallationSettings } from '@gatehouse/installation/settings';
import { createPostgresRepositories, schemaState } from '@gatehouse/postgres';
import { CommandError, notMigrated, usageError } from './errors/command-error.ts';

/** Maximum number of connections. Only `doctor` uses the second one, because it runs checks concurrently. */
const POOL = { poolSize: 2 };

/** Prints a line for the user. */
type Warn = (line: string) => void;

/** Connects to the database of the settings, whatever the version of its schema. */
export async function connect(
  settings: InstallationSettings,
  onIgnored: Warn,
  { mayCreate = false } = {},
): Promise<OpenDatabase> {
  const dataDir = await embeddedIn(settings, mayCreate);
  const embedded = dataDir === undefined ? undefined : await openEmbedded(dataDir);
  return openInstallationDatabase(settings, { pool: POOL, embedded, onIgnored });
}

/** Connects to a database that is running and migrated. Otherwise returns undefined; starts nothing. */
export async function connectIfReady(
  settings: InstallationSettings,
  onIgnored: Warn,
): Promise<OpenDatabase | undefined> {
  const dataDir = await embeddedIn(settings, false);
  const embedded =
    dataDir === undefined ? undefined : await (await loadEmbedded()).joinEmbeddedPostgres({ dataDir });
  if (dataDir !== undefined && embedded === undefined) return undefined;
  const opened = openInstallationDatabase(settings, { pool: POOL, embedded, onIgnored });
  if ((await schemaState(opened.database)) === 'current') return opened;
  await opened[Symbol.asyncDispose]();
  return undefined;
}

/**
 * Connects to a migrated database. Migrates the embedded database if necessary, as a server does. Throws if any other
 * database is not migrated: only `gatehouse migrate` migrates that.
 */
export async function connectReady(settings: InstallationSettings, onIgnored: Warn): Promise<OpenDatabase> {
  const opened = await connect(settings, onIgnored);
  try {
    const state = await migrateIfEmbedded(opened);
    if (state !== 'current') throw new CommandError('fault', SCHEMA_PROBLEMS[state]);
    return opened;
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Migrates an extension in the embedded database before a command uses the extension, as a server does when it starts.
 * Does not migrate in any other database, where only `gatehouse migrate` migrates extensions. Refuses an extension with
 * the name of a service.
 */
export async function prepareExtension(opened: OpenDatabase, extension: Extension): Promise<void> {
  await refuseNamesOfServices(createPostgresRepositories(opened.database).services, [extension]);
  const failed = await migrateExtensionsIfEmbedded(opened, [extension]);
  if (failed.length > 0) throw new CommandError('fault', failed.map(notMigrated));
}

const SCHEMA_PROBLEMS = {
  behind: "The database's schema is older than this program: run `gatehouse migrate`.",
  ahead:
    "The database's schema is newer than this program: use the newer version of Gatehouse that migrated the database.",
};

/**
 * Returns the data folder of the embedded database; undefined if the settings name another database. Throws if the
 * embedded database does not exist, unless `mayCreate`: a command in a wrong folder would create a second, empty
 * database.
 */
async function embeddedIn(settings: InstallationSettings, mayCreate: boolean) {
  const { DATABASE_URL, DATABASE_URL_FILE, GATEHOUSE_DATA_DIR } = settings;
  if (DATABASE_URL !== undefined || DATABASE_URL_FILE !== undefined) return undefined;
  const dataDir = resolve(GATEHOUSE_DATA_DIR);
  if (mayCreate || existsSync(join(dataDir, 'postgres'))) return dataDir;
  throw new UnavailableFault(
    `There is no database in ${dataDir}: run this command in the folder of the server, or set GATEHOUSE_DATA_DIR to the server's data folder, or DATABASE_URL to its database. \`npm start\` and \`gatehouse migrate\` create a new database.`,
  );
}

/** Loads the embedded PostgreSQL. Called only if the settings name no other database. */
const loadEmbedded = () => import('@gatehouse/embedded-postgres');

async function openEmbedded(dataDir: string) {
  const { ForeignFolderError, NoBinariesError, EmbeddedPostgresError, openEmbeddedPostgres } =
    await loadEmbedded();
  try {
    return await openEmbeddedPostgres({ dataDir });
  } catch (error) {
    if (error instanceof ForeignFolderError || error instanceof NoBinariesError) {
      throw usageError(error.message);
    }
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new UnavailableFault(error.message, { cause: error });
  }
}
