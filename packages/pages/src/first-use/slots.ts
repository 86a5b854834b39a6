import type { ServerResponse } from 'node:http';
import type { UserId } from '@gatehouse/domain/users';

/** Most streams of a process. */
const MAX_STREAMS = 50;

/** Most streams of one user, who watches one token at a time, so that a user does not take the places of others. */
const MAX_STREAMS_PER_USER = 5;

/** Counts the streams of a process. A stream counts until its client is gone or its response has ended. */
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
      // The end of a connection can be reported several times.
      const free = () => {
        if (!isHeld) return;
        isHeld = false;
        response.off('close', free);
        socket.off('end', free).off('close', free);
        change(id, -1);
      };
      response.on('close', free);
      // A browser that leaves ends its side first; the other side is still open.
      socket.on('end', free).on('close', free);
    },
  };
}

/** Whether the client of a stream is gone. A client that ended its side is gone: it has nothing more to send. */
export const isGone = ({ destroyed, req }: ServerResponse): boolean =>
  destroyed || req.socket.destroyed || req.socket.readableEnded;
