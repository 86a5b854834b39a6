import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openInstallation } from '@gatehouse/faults/store';
import { createMasterKey } from '@gatehouse/key-encryption';
import { say } from '../../say.ts';
import { openOwnPostgres, urlOf } from '../../servers/own-postgres.ts';
import { type Stage, withClient } from '../../stage.ts';
import type { Directory } from '../directory.ts';
import { fillDatabase, type LargeSize } from './bulk-load.ts';
import { requireRoom } from './disk-room.ts';
import { ownersFor } from './fill-owners.ts';

/** A directory on a PostgreSQL of its own. */
export interface LargeDirectory extends Directory {
  readonly size: LargeSize;
  /** PostgreSQL's data directory. */
  readonly dataFolder: string;
}

const DATABASE = 'large';

/**
 * Builds indexes without writing them to the write-ahead log, and does not wait for the disk: if the machine fails
 * meanwhile, the directory is filled again. Autovacuum is off, because everything is vacuumed after the filling.
 */
const WHILE_FILLING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  shared_buffers: '2GB',
  fsync: 'off',
  autovacuum: 'off',
};

/** Opens the directory that a folder has from an earlier run if it has this size, and otherwise fills it. */
export async function openLargeDirectory(
  stage: Stage,
  folder: string,
  size: LargeSize,
): Promise<LargeDirectory> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `filled-${size.tokens}-${size.eventsPerToken}.json`);
  let masterKey = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text).masterKey as string,
    () => undefined,
  );
  if (masterKey === undefined) {
    await requireRoom(folder, size);
    masterKey = createMasterKey();
    await fill(folder, size, masterKey);
    await writeFile(file, JSON.stringify({ masterKey }), { mode: 0o600 });
  } else {
    say(`using what ${folder} has`);
  }

  await using opening = new AsyncDisposableStack();
  const postgres = opening.use(await openOwnPostgres(folder));
  const url = urlOf(postgres, DATABASE);
  const store = opening.use(openInstallation({ DATABASE_URL: url, GATEHOUSE_MASTER_KEY: masterKey }));
  const resources = opening.move();
  return {
    ...ownersFor(size.tokens),
    stage: { ...stage, masterKey },
    url,
    store,
    size,
    dataFolder: join(folder, 'postgres', 'data'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function fill(folder: string, size: LargeSize, masterKey: string): Promise<void> {
  await using postgres = await openOwnPostgres(folder, WHILE_FILLING);
  await withClient(postgres.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  await fillDatabase(urlOf(postgres, DATABASE), size, masterKey);
}
