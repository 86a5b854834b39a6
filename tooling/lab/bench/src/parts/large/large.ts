import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import type { LargeSize } from '../../population/large/bulk-load.ts';
import { openLargeDirectory } from '../../population/large/large-directory.ts';
import type { SharedDirectories } from '../../population/shared-directories.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { measureStored } from '../growth/stored.ts';
import { type CommandTime, timeCommands } from './commands.ts';
import { type MigrationResult, migrateUnderLoad } from './migration.ts';
import { type PageTime, timePages } from './pages.ts';
import { measureStorage, type StorageResult, warmPageCache } from './storage.ts';
import { type LookUps, measureUnseen, type Unseen } from './unseen.ts';

export interface Large {
  readonly size: LargeSize;
  readonly few: number;
  readonly storage: readonly StorageResult[];
  /** The size of the tables of look-ups with their indexes, which were read into the page cache. */
  readonly warmedBytes: number;
  readonly known: LookUps;
  readonly unseen: Unseen;
  /** Resident memory of a server before its first request. */
  readonly idleBytes: { readonly few: number; readonly many: number };
  readonly commands: readonly CommandTime[];
  readonly pages: readonly PageTime[];
  readonly migration: MigrationResult;
}

/** Fewer than elsewhere: each starts a process or reads a page. */
const ROUNDS = 5;

/** Measures everything with very many tokens and events stored. Without a folder to keep them, they are deleted afterwards. */
export async function measureLarge(
  stage: Stage,
  effort: Effort,
  shared: SharedDirectories,
  kept: string | undefined,
): Promise<Large> {
  const folder = kept ?? join(tmpdir(), `gatehouse-bench-large-${process.pid}`);
  await using resources = new AsyncDisposableStack();
  if (kept === undefined) resources.defer(() => rm(folder, { recursive: true, force: true }));
  const directory = resources.use(await openLargeDirectory(stage, folder, effort.large));
  const small = await shared.holding(effort.stored[0] as number);
  const storage = await measureStorage(directory);
  const warmedBytes = await warmPageCache(directory);
  say('= look-ups');
  const idleBytes = { few: await idleBytesOn(small), many: await idleBytesOn(directory) };
  const [few, many] = await measureStored([small, directory], effort);
  const unseen = await measureUnseen(small, directory, effort);
  const rounds = Math.min(ROUNDS, effort.rounds);
  say('= commands');
  const commands = await timeCommands(directory, small, rounds);
  say('= pages');
  const pages = await timePages(directory, rounds);
  say('= migration');
  // Last, because it changes what is stored.
  const migration = await migrateUnderLoad(directory);
  return {
    size: directory.size,
    few: small.organizations,
    storage,
    warmedBytes,
    known: { few: few?.samples ?? [], many: many?.samples ?? [] },
    unseen,
    idleBytes,
    commands,
    pages,
    migration,
  };
}

async function idleBytesOn(directory: Directory): Promise<number> {
  await using server = await startGatehouse(directory);
  return server.usage().residentBytes;
}
