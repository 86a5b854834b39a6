import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';

export interface WatchedReader extends Disposable {
  /** Aborted when it is known that nobody reads any more. */
  readonly gone: AbortSignal;
}

/**
 * Watches whether standard output, if it is a pipe, still has a reader. Whoever writes to a pipe learns it from
 * that, but who has nothing to write would go on for good behind a `head` that has all it wanted. The system tells
 * those who poll the pipe, which Node cannot; GNU `tail -f` does and dies of SIGPIPE. Where there is no such `tail`,
 * the next write tells.
 */
export function watchReader(stdout: Writable): WatchedReader {
  const gone = new AbortController();
  if (stdout !== process.stdout || !isPipe(process.stdout.fd)) {
    return { gone: gone.signal, [Symbol.dispose]: () => undefined };
  }
  const tail = spawn('tail', ['-f', '-s', '0.5', `--pid=${process.pid}`, '/dev/null'], {
    stdio: ['ignore', process.stdout.fd, 'ignore'],
  });
  tail.on('error', () => undefined);
  tail.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') gone.abort();
  });
  tail.unref();
  return { gone: gone.signal, [Symbol.dispose]: () => void tail.kill() };
}

function isPipe(fd: number): boolean {
  return fstatSync(fd).isFIFO();
}
