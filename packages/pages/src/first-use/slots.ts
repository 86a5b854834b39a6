import type { ServerResponse } from 'node:http';
import type { UserId } from '@gatehouse/domain/users';

/** The maximum number of open streams of a process. */
const MAX_STREAMS = 50;

/**
 * The maximum number of open streams of a user. A user watches one token at a time. Without this limit, one user could
 * use up the streams of all users.
 */
const MAX_STREAMS_PER_USER = 5;

/**
 * Counts the open streams of a process and of each user. A stream is open until its response has ended or its client
 * has disconnected.
 */
export function createSlots() {
  const held = new Map<UserId, number>();
  let streams = 0;

  function change(id: UserId, by: 1 | -1): void {
    streams += by;
    const own = (held.get(id) ?? 0) + by;
    if (own === 0) held.delete(id);
    else held.set(id, own);
  }

  return {
    isFull: (id: UserId): boolean => streams >= MAX_STREAMS || (held.get(id) ?? 0) >= MAX_STREAMS_PER_USER,
    hold(id: UserId, response: ServerResponse): void {
      if (isGone(response)) return;
      const { socket } = response.req;
      change(id, 1);
      let isHeld = true;
      // Node can report the end of a connection several times. Only the first report counts.
      const free = () => {
        if (!isHeld) return;
        isHeld = false;
        response.off('close', free);
        socket.off('end', free).off('close', free);
        change(id, -1);
      };
      response.on('close', free);
      // When a user leaves the page, the browser first closes only its own side of the connection. The stream no longer
      // counts from then on, although the server's side is still open.
      socket.on('end', free).on('close', free);
    },
  };
}

/** Whether the client of a stream has closed the connection, or the client's side of the connection. */
export const isGone = ({ destroyed, req }: ServerResponse): boolean =>
  destroyed || req.socket.destroyed || req.socket.readableEnded;
