import type { Writable } from 'node:stream';

/** Writes text. Resolves once the system has accepted the text; rejects if the system does not accept the text. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Like `write`, but resolves with false if the reader has closed the stream, as in `gatehouse token list | head`. That
 * the stream is closed does not change the exit status of the command.
 */
export async function offer(stream: Writable, text: string): Promise<boolean> {
  try {
    await write(stream, text);
    return true;
  } catch (error) {
    // After a failed write, later writes fail with another error.
    if (isClosedByReader(error) || isClosedByReader(stream.errored)) return false;
    throw error;
  }
}

function isClosedByReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/**
 * Returns the system's message for a failed write, such as `no space left on device`. Undefined for any other error.
 */
export function writeProblem(error: unknown): string | undefined {
  const isOfWriting = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  return isOfWriting ? error.message.replace(/^\w+: |, write$/g, '') : undefined;
}
