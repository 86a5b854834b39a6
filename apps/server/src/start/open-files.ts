import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Logger } from 'pino';

/** For the listener for operations, the database, the log, and all else. */
const OTHER_FILES = 1_200;

const LOOK_EVERY_MS = 1_000;
const SAY_ONCE_IN_MS = 60_000;

const REMEDIES: Readonly<Record<string, string>> = {
  EMFILE:
    'this process has as many files open as it may: raise LimitNOFILE (ulimit -n), or lower MAX_CONNECTIONS',
  ENFILE: 'this machine has as many files open as it may: raise fs.file-max',
};

/** How many files this process may have open; undefined where there is no limit, or the system does not say. */
export function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** How many of these connections leave enough of so many files for everything else. */
export function connectionsWithin(openFiles: number | undefined, most: number): number {
  if (openFiles === undefined) return most;
  return Math.max(1, Math.min(most, Math.max(openFiles - OTHER_FILES, Math.floor(openFiles / 2))));
}

export interface OpenFilesWatchOptions {
  readonly log: Logger;
  /** Throws what the system says. */
  readonly openFile?: () => void;
  readonly elapsedMs?: () => number;
  readonly everyMs?: number;
}

/**
 * Logs when no file can be opened. libuv then closes new connections without telling Node: all that can be seen
 * is that opening anything else fails as well.
 */
export function watchOpenFiles({
  log,
  openFile = () => closeSync(openSync('/dev/null', 'r')),
  elapsedMs = () => performance.now(),
  everyMs = LOOK_EVERY_MS,
}: OpenFilesWatchOptions): Disposable {
  let failures = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    try {
      openFile();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const remedy = REMEDIES[code];
      if (remedy === undefined) return;
      failures += 1;
      if (elapsedMs() - saidAt < SAY_ONCE_IN_MS) return;
      log.error({ code, failures }, `new connections are closed: ${remedy}`);
      saidAt = elapsedMs();
      failures = 0;
    }
  };
  const looking = setInterval(look, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(looking) };
}
