import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Log } from '../logging/line-kind.ts';

/**
 * The number of open files reserved for everything but client connections: the operations listener, the database, the
 * log.
 */
const OTHER_FILES = 1_200;

const LOOK_EVERY_MS = 1_000;
const SAY_ONCE_IN_MS = 60_000;

const REMEDIES: Readonly<Record<string, string>> = {
  EMFILE:
    'this process has reached its limit of open files: raise LimitNOFILE (ulimit -n), or lower MAX_CONNECTIONS',
  ENFILE: 'this machine has reached its limit of open files: raise fs.file-max',
};

/** Returns how many files this process may open; undefined if the number is unlimited or unknown. */
export function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/**
 * Returns how many client connections a process may have, at most `most`, so that enough open files remain for other
 * uses.
 */
export function connectionsWithin(openFiles: number | undefined, most: number): number {
  if (openFiles === undefined) return most;
  return Math.max(1, Math.min(most, Math.max(openFiles - OTHER_FILES, Math.floor(openFiles / 2))));
}

interface OpenFilesWatchOptions {
  readonly log: Log;
  /** Opens and closes a file; throws the system's error. */
  readonly openFile?: () => void;
  readonly elapsedMs?: () => number;
  readonly everyMs?: number;
}

/**
 * Logs when no file can be opened. In that state libuv closes new connections without telling Node. The watch detects
 * that state by opening another file at intervals, which then fails as well.
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
      log.error({ kind: 'no_open_file', code, failures }, `new connections are closed: ${remedy}`);
      saidAt = elapsedMs();
      failures = 0;
    }
  };
  const looking = setInterval(look, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(looking) };
}
