import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Which cores who runs on, as `taskset` takes them; undefined where nobody can be tied to any. */
export interface Cores {
  /** The server under measurement has it to itself. */
  readonly server: string;
  readonly load: string;
  /** Everything else: the database and this program. On two cores it is the load's. */
  readonly others: string;
  /** For a server that is to use all there are. */
  readonly all: string;
}

/** Ties this process, and with it all that it starts, to the cores that are not the server's. */
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
    execFileSync('taskset', ['-cp', cores.others, `${process.pid}`], { stdio: 'ignore' });
    return cores;
  } catch {
    return undefined;
  }
}

/** A command as it is started on certain cores. */
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

/** Reads a list such as `0-3,6`. */
export function parseCoreList(list: string): readonly number[] {
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
