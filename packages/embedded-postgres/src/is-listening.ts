import { once } from 'node:events';
import { connect } from 'node:net';
import { codeOf } from './files.ts';

/** Returns whether a program listens on the Unix socket `path`. */
export async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // EAGAIN: its connection queue is full.
    return codeOf(error) === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}
