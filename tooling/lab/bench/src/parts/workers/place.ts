import { availableParallelism } from 'node:os';
import { type Cores, divideCores, parseCoreList, pinProcess } from '../../machine/cores.ts';
import { databaseProcess } from '../../machine/database-usage.ts';
import { familyOf } from '../../machine/process-usage.ts';

/** Where a server with a number of workers runs. If processes cannot be pinned, its cores are undefined. */
export interface Place {
  /** Whether there are more workers than cores for them, and the server shares all cores with the load. */
  readonly isShared: boolean;
  /** The cores of the server, in the form of `taskset`. */
  readonly server: string | undefined;
  /** One for each process of the load generator. */
  readonly load: readonly (number | undefined)[];
}

/** The number of cores that this program may use. */
export function coresOf(cores: Cores | undefined): number {
  return cores === undefined ? availableParallelism() : parseCoreList(cores.all).length;
}

/** Moves the database and this program to the cores of the load, and returns the place of the server. */
export async function takePlace(
  workers: number,
  cores: Cores | undefined,
  database: { readonly url: string },
): Promise<Place> {
  if (!cores) return { server: undefined, load: [undefined], isShared: true };
  const all = parseCoreList(cores.all);
  const divided = divideCores(all);
  const isShared = workers > divided.server.length;
  const { server, load } = isShared ? { server: all, load: all } : divided;
  for (const pid of [process.pid, ...familyOf(await databaseProcess(database))])
    moveLiving(pid, load.join(','));
  return { isShared, server: server.join(','), load };
}

/** A connection of the database may end meanwhile. */
function moveLiving(pid: number, cores: string): void {
  try {
    pinProcess(pid, cores);
  } catch (error) {
    if (pid === process.pid) throw error;
  }
}
