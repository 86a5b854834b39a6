import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from '../../load/measure.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import type { LargeSize } from '../../population/large/bulk-load.ts';
import { type LargeDirectory, openLargeDirectory } from '../../population/large/large-directory.ts';
import { requestsOfStored } from '../../population/large/stored-tokens.ts';
import { eachOnce, newTokensEachTurn } from '../../population/new-tokens.ts';
import type { SharedDirectories } from '../../population/shared-directories.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { measureStored } from '../growth/stored.ts';
import { type CommandTime, timeCommands } from './commands.ts';
import { type MigrationResult, migrateUnderLoad } from './migration.ts';
import { type PageTime, timePages } from './pages.ts';
import { measureStorage, type StorageResult, warmPageCache } from './storage.ts';

/** A look-up with few and with very many stored; one sample for each round. */
export interface LookUps {
  readonly few: readonly Sample[];
  readonly many: readonly Sample[];
}

export interface Large {
  readonly size: LargeSize;
  readonly few: number;
  readonly storage: readonly StorageResult[];
  /** The tables of look-ups with their indexes, which were read into the page cache. */
  readonly warmedBytes: number;
  readonly known: LookUps;
  readonly unseen: LookUps;
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

/** Where few are stored, the tokens are made for the measurement; of very many, stored ones are drawn. */
async function measureUnseen(small: Directory, large: LargeDirectory, effort: Effort): Promise<LookUps> {
  await using servers = new AsyncDisposableStack();
  const entrants = [
    {
      server: servers.use(await startGatehouse(small)),
      plan: await newTokensEachTurn(small, effort, 'Unseen'),
    },
    {
      server: servers.use(await startGatehouse(large)),
      plan: await eachOnce(large, effort, 'unseen-large', (count) => requestsOfStored(large, count)),
    },
  ];
  const [few, many] = await measureInRounds(entrants, effort.rounds, small.stage.cores);
  return { few: few?.samples ?? [], many: many?.samples ?? [] };
}
