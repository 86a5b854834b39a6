import { describeMachine, type Machine } from '../../machine/machine.ts';
import type { Effort } from '../../options.ts';
import type { Say } from '../../say.ts';
import type { Stage } from '../../stage.ts';
import { type FilledDatabase, fillDatabase } from './filled-database.ts';
import { type HeapResult, measureHeap } from './heap.ts';
import { type InUseResult, measureInUse } from './in-use.ts';
import { measureSignIns, type SignInsResult } from './sign-ins.ts';
import { measureStored, type StoredResult } from './stored.ts';
import { measureWorkers, type WorkersResult } from './workers.ts';

export interface Growth {
  readonly machine: Machine;
  readonly effort: Effort;
  readonly stored: readonly StoredResult[];
  readonly inUse: readonly InUseResult[];
  readonly heap: HeapResult;
  readonly signIns: SignInsResult;
  readonly workers: readonly WorkersResult[];
}

/** Measures the cost of a request with more data, tokens in use, sign-ins and processes. */
export async function grow(stage: Stage, effort: Effort, say: Say): Promise<Growth> {
  await using stores = new AsyncDisposableStack();
  const databases: FilledDatabase[] = [];
  for (const stored of effort.stored) {
    say(`storing ${stored} tokens and organizations`);
    const filled = await fillDatabase(stage, stored);
    stores.use(filled.store);
    databases.push(filled);
  }
  const largest = databases.at(-1);
  if (!largest) throw new Error('nothing is stored');

  say('= stored');
  const stored = await measureStored(stage, databases, effort, say);
  say('= in use');
  const inUse = await measureInUse(stage, largest, effort, say);
  const heap = await measureHeap(stage, largest, effort, say);
  say('= sign-ins');
  const signIns = await measureSignIns(stage, largest, effort, say);
  say('= processes');
  const workers = await measureWorkers(stage, largest, effort, say);
  return { machine: describeMachine(stage.cores), effort, stored, inUse, heap, signIns, workers };
}
