import { connect } from 'node:net';
import { codeOf } from './files.ts';

/** Returns whether a program listens on the Unix socket `path`. */
export async function isListening(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path)
    .on('connect', () => resolve(true))
    // EAGAIN: its connection queue is full.
    .on('error', (error) => resolve(codeOf(error) === 'EAGAIN'));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
