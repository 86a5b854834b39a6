import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores of each process, in the form of `taskset`; undefined if processes cannot be pinned. */
export interface Cores {
  /** The core reserved for the measured server. */
  readonly server: string;
  readonly load: string;
  /** The cores of everything else: the database and this program. With two cores, the same as for the load. */
  readonly others: string;
  /** All cores, for a server that may use them. */
  readonly all: string;
}

/** Pins this process, and all that it starts, to the cores that are not the server's. */
export function claimCores(): Cores | undefined {
  const allowed = allowedCores();
  const [first, last] = [allowed[0], allowed.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const cores = {
    server: `${last}`,
    load: `${first}`,
    others: allowed.slice(0, -1).join(','),
    all: allowed.join(','),
  };
  try {
    pinProcess(process.pid, cores.others);
    return cores;
  } catch {
    return undefined;
  }
}

/** The cores of a server with several workers, and of everything else. */
export interface DividedCores {
  readonly server: readonly number[];
  /** One for each process of the load generator. The database is there, too. */
  readonly load: readonly number[];
}

/** Divides the cores of a machine: the first quarter, at least one core, is for the load, the others for the server. */
export function divideCores(all: readonly number[]): DividedCores {
  const forLoad = Math.max(1, Math.floor(all.length / 4));
  return { server: all.slice(forLoad), load: all.slice(0, forLoad) };
}

/** Moves a running process, and what it starts from now on, to certain cores. */
export function pinProcess(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, `${pid}`], { stdio: 'ignore' });
}

/** Returns the command line that starts a command on certain cores. */
export function pinned(
  cores: string | undefined,
  command: string,
  args: readonly string[],
): readonly [command: string, args: readonly string[]] {
  return cores === undefined ? [command, args] : ['taskset', ['-c', cores, command, ...args]];
}

function allowedCores(): readonly number[] {
  try {
    const [, list = ''] =
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return parseCoreList(list);
  } catch {
    return [];
  }
}

/** Parses a list such as `0-3,6`. */
export function parseCoreList(list: string): readonly number[] {
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
