import type { Writable } from 'node:stream';

/** Resolves when the text is handed to the system, and rejects if that fails: only then was it said. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * As `write`, but a reader that has closed the stream, as in `gatehouse token list | head`, is no failure: resolves
 * with false then. It says nothing about what the command did: its exit status stays its own.
 */
export async function offer(stream: Writable, text: string): Promise<boolean> {
  try {
    await write(stream, text);
    return true;
  } catch (error) {
    // Once a write has failed, later ones fail because of that.
    if (isClosedByReader(error) || isClosedByReader(stream.errored)) return false;
    throw error;
  }
}

function isClosedByReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** What went wrong with writing, in the words of the system: `no space left on device`. */
export function writeProblem(error: unknown): string | undefined {
  const isOfWriting = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  return isOfWriting ? error.message.replace(/^\w+: |, write$/g, '') : undefined;
}
