import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest } from '../load/plan.ts';
import { tracked } from '../machine/children.ts';
import { pinned } from '../machine/cores.ts';
import {
  lowPriorityCpuSecondsOf,
  lowPriorityThreadsOf,
  type ProcessUsage,
  usageOf,
} from '../machine/process-usage.ts';
import { proportionalBytesOf } from '../machine/proportional-memory.ts';

/** A server's announcement when it is ready, one line of JSON on standard output. */
export interface Announcement {
  readonly url: string;
  /** The request to send, if it differs from that of Gatehouse. */
  readonly request?: LoadRequest;
  /** The header with which services ask it about tokens, if it is an authorization server. */
  readonly authorization?: string;
}

/** A measured server in a separate process. */
export interface ServerProcess extends AsyncDisposable {
  readonly announcement: Announcement;
  /** The time from its start until it was ready. */
  readonly startMs: number;
  usage(): ProcessUsage;
  /** The memory of all its processes, where pages that several processes share count once (PSS). */
  memoryBytes(): number;
  /** The CPU time that this process, without its children, spent on hashing passwords. */
  hashingCpuSeconds(): number;
  /** The number of threads that hash passwords, in all of its processes. */
  hashingThreads(): number;
  /** The heap after garbage collection; only with the heap probe. */
  heapBytes(): Promise<number>;
}

interface ServerProgram {
  /** The path of the program, run by Node. */
  readonly program: string;
  /** Of Node. Default: none. */
  readonly flags?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cores: string | undefined;
}

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 5_000;

/** Starts a server and waits for its announcement. */
export async function startServer({
  program,
  flags = [],
  env,
  cores,
}: ServerProgram): Promise<ServerProcess> {
  const startedAt = performance.now();
  // Passes only what every program needs: the settings of this environment are not part of the measurement.
  const base = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production' };
  const child = tracked(
    spawn(...pinned(cores, process.execPath, [...flags, program]), {
      env: { ...base, ...env },
      // Servers see the channel close if this process is killed, and exit.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new TypeError('both are pipes');
  const exited = once(child, 'exit');
  let complaint = '';
  stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2_000);
  });

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await Promise.race([exited, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }

  async function failWhenEnded(): Promise<never> {
    await exited;
    throw new Error(`${program} ended: ${complaint}`);
  }

  const announced = new Promise<Announcement>((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const announcement = readAnnouncement(line);
      if (announcement) resolve(announcement);
    });
  });
  const failed = Promise.race([exited, delay(READY_WITHIN_MS, undefined, { ref: false })]);
  const announcement = await Promise.race([announced, failed.then(() => undefined)]);
  if (announcement === undefined) {
    await stop();
    throw new Error(`${program} did not start: ${complaint}`);
  }
  return {
    announcement,
    startMs: performance.now() - startedAt,
    usage: () => usageOf(child.pid as number),
    memoryBytes: () => proportionalBytesOf(child.pid as number),
    hashingCpuSeconds: () => lowPriorityCpuSecondsOf(child.pid as number),
    hashingThreads: () => lowPriorityThreadsOf(child.pid as number),
    async heapBytes() {
      const answered = once(child, 'message');
      child.send('heap');
      const [{ heapBytes }] = await Promise.race([answered, failWhenEnded()]);
      return heapBytes;
    },
    [Symbol.asyncDispose]: stop,
  };
}

function readAnnouncement(line: string): Announcement | undefined {
  try {
    const said = JSON.parse(line);
    return typeof said?.url === 'string' ? said : undefined;
  } catch {
    return undefined;
  }
}
