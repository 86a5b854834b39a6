import { readdirSync, readFileSync } from 'node:fs';

/** The resources that a process and its children have used, as the system counts them. */
export interface ProcessUsage {
  /** User and system time of all threads and of children that have ended, in steps of 10 ms. */
  readonly cpuSeconds: number;
  /** The resident pages; those that processes share count for each. */
  readonly residentBytes: number;
  readonly processes: number;
}

/** proc_pid_stat(5) counts in clock ticks: a hundred a second on every Linux that Node runs on. */
export const TICKS_PER_SECOND = 100;

export function canMeasureProcesses(): boolean {
  return process.platform === 'linux';
}

/** Returns the process and all processes that it started, directly or not. */
export function familyOf(pid: number): readonly number[] {
  return [pid, ...descendantsOf(pid)];
}

export function usageOf(pid: number): ProcessUsage {
  const family = [read(pid), ...descendantsOf(pid).flatMap((child) => readLiving(child) ?? [])];
  return {
    cpuSeconds: sum(family.map(({ stat }) => stat.cpuTicks + stat.endedTicks)) / TICKS_PER_SECOND,
    residentBytes: sum(family.map(({ residentBytes }) => residentBytes)),
    processes: family.length,
  };
}

function read(pid: number) {
  return {
    stat: parseStat(readProc(pid, 'stat')),
    residentBytes: parseResidentBytes(readProc(pid, 'status')),
  };
}

/** Undefined where it has ended meanwhile, as connections of a database do. */
function readLiving(pid: number): ReturnType<typeof read> | undefined {
  try {
    return read(pid);
  } catch {
    return undefined;
  }
}

/** The process that started another. */
export function parentOf(pid: number): number {
  return parseStat(readProc(pid, 'stat')).parent;
}

/**
 * The user and system time of the process's threads that have a lower priority than the process: in our server, the
 * threads that hash passwords.
 */
export function lowPriorityCpuSecondsOf(pid: number): number {
  const { nice } = parseStat(readProc(pid, 'stat'));
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => parseStat(readProc(pid, `task/${id}/stat`)));
  return sum(threads.map((thread) => (thread.nice > nice ? thread.cpuTicks : 0))) / TICKS_PER_SECOND;
}

/** The number of threads of a process, and of all that it started, that have a lower priority than the process. */
export function lowPriorityThreadsOf(pid: number): number {
  return sum(
    familyOf(pid).map((each) => {
      const { nice } = parseStat(readProc(each, 'stat'));
      const threads = readdirSync(`/proc/${each}/task`);
      return threads.filter((id) => parseStat(readProc(each, `task/${id}/stat`)).nice > nice).length;
    }),
  );
}

/** proc_pid_stat(5): the second field, the command's name, may hold spaces and parentheses. */
export function parseStat(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    cpuTicks: field(14) + field(15),
    /** Of children that have ended. */
    endedTicks: field(16) + field(17),
    nice: field(19),
  };
}

export function parseResidentBytes(status: string): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

function descendantsOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { parent } = parseStat(readProc(Number(name), 'stat'));
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has exited meanwhile.
    }
  }
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

function readProc(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
