import type { Writable } from 'node:stream';

/** Resolves when the text is handed to the system, and rejects if that fails: only then was it said. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The reader went away, as in `gatehouse token list | head`: nobody is left to complain to. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** What went wrong with writing, in the words of the system: `no space left on device`. */
export function writeProblem(error: unknown): string | undefined {
  const isOfWriting = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  return isOfWriting ? error.message.replace(/^\w+: |, write$/g, '') : undefined;
}
