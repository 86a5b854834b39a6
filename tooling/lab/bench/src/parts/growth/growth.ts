import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import type { SharedDirectories } from '../../population/shared-directories.ts';
import { say } from '../../say.ts';
import { type CommandResult, measureCommands } from './commands.ts';
import { type HeapResult, measureHeap } from './heap.ts';
import { type InUseResult, measureInUse } from './in-use.ts';
import { measureSignIns, type SignInsResult } from './sign-ins.ts';
import { measureStored, type StoredResult } from './stored.ts';
import { measureWorkers, type WorkersResult } from './workers.ts';

export interface Growth {
  readonly stored: readonly StoredResult[];
  readonly inUse: readonly InUseResult[];
  readonly heap: HeapResult;
  readonly signIns: SignInsResult;
  readonly workers: readonly WorkersResult[];
  readonly commands: readonly CommandResult[];
}

/** Measures the cost of a request with more data, tokens in use, sign-ins and processes, and the time of commands. */
export async function grow(effort: Effort, shared: SharedDirectories): Promise<Growth> {
  const directories: Directory[] = [];
  for (const stored of effort.stored) {
    say(`storing ${stored} tokens and organizations`);
    directories.push(await shared.holding(stored));
  }
  const largest = directories.at(-1);
  if (!largest) throw new Error('nothing is stored');

  say('= stored');
  const stored = await measureStored(directories, effort);
  say('= in use');
  const inUse = await measureInUse(largest, effort);
  const heap = await measureHeap(largest, effort);
  say('= sign-ins');
  const signIns = await measureSignIns(largest, effort);
  say('= processes');
  const workers = await measureWorkers(largest, effort);
  say('= commands');
  // Last, because it changes what is stored.
  const commands = await measureCommands(largest, effort);
  return { stored, inUse, heap, signIns, workers, commands };
}
