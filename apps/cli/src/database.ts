import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UnavailableFault } from '@gatehouse/domain';
import {
  EmbeddedPostgresError,
  joinEmbeddedPostgres,
  openEmbeddedPostgres,
} from '@gatehouse/embedded-postgres';
import { type Database, migrateToLatest, openDatabase, schemaState } from '@gatehouse/postgres';
import { CommandError, usageError } from './errors/command-error.ts';
import { EXIT } from './errors/exit-status.ts';
import type { Settings } from './settings.ts';

export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Where notifications can be listened to: the database itself, without a connection pooler in between. */
  readonly listenUrl: string;
}

/** A command waits longer for its database than a request does. */
const PATIENCE_MS = 10_000;

/** Connects to the database of the settings, whatever its schema. */
export async function connect(
  settings: Settings,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<OpenDatabase> {
  await using stack = new AsyncDisposableStack();
  let url = settings.DATABASE_URL;
  if (url === undefined) {
    const dataDir = resolve(settings.GATEHOUSE_DATA_DIR);
    if (!mayCreate) await requireDatabase(dataDir);
    url = stack.use(await openEmbedded(dataDir)).url;
  }
  return openOn(url, settings, stack.move());
}

/** Connects to a database that is ready for use as it is, and to none else; nothing is started for it. */
export async function connectIfReady(settings: Settings): Promise<OpenDatabase | undefined> {
  await using stack = new AsyncDisposableStack();
  let url = settings.DATABASE_URL;
  if (url === undefined) {
    const dataDir = resolve(settings.GATEHOUSE_DATA_DIR);
    await requireDatabase(dataDir);
    url = stack.use(await joinEmbeddedPostgres({ dataDir }))?.url;
  }
  if (url === undefined) return undefined;
  const opened = openOn(url, settings, stack.move());
  if ((await schemaState(opened.database)) === 'current') return opened;
  await opened[Symbol.asyncDispose]();
  return undefined;
}

function openOn(url: string, settings: Settings, stack: AsyncDisposableStack): OpenDatabase {
  const database = openDatabase({ url, poolSize: 1, connectTimeoutMs: PATIENCE_MS });
  stack.defer(() => database.close());
  const listenUrl = settings.DATABASE_LISTEN_URL ?? url;
  return { database, listenUrl, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/**
 * Connects to a database that is ready for use. The embedded one is migrated where it is behind, as the server
 * does; one of the operator's own is migrated by `gatehouse migrate` only.
 */
export async function connectReady(settings: Settings): Promise<OpenDatabase> {
  const opened = await connect(settings, { mayCreate: false });
  try {
    const state = await schemaState(opened.database);
    if (state === 'behind' && settings.DATABASE_URL === undefined) {
      await migrateToLatest(opened.database);
    } else if (state !== 'current') {
      throw new CommandError(EXIT.fault, SCHEMA_PROBLEMS[state]);
    }
    return opened;
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

const SCHEMA_PROBLEMS = {
  behind: "The database's schema is behind this program: run `gatehouse migrate`.",
  ahead: "The database's schema is ahead of this program: run the newer version that was here before.",
};

/** Else a command in the wrong folder would make a second database there, and say that nothing exists. */
async function requireDatabase(dataDir: string): Promise<void> {
  try {
    await access(join(dataDir, 'postgres'));
  } catch (cause) {
    const message = `There is no database in ${dataDir}: run this where the server runs, or name its data folder with GATEHOUSE_DATA_DIR, or its database with DATABASE_URL. \`npm start\` and \`gatehouse migrate\` make a new one.`;
    throw new UnavailableFault(message, { cause });
  }
}

async function openEmbedded(dataDir: string) {
  try {
    return await openEmbeddedPostgres({ dataDir });
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) {
      if (error.code === 'folder_of_another_user') throw usageError(error.message);
      throw new UnavailableFault(error.message, { cause: error });
    }
    throw error;
  }
}
