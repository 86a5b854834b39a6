import type { ServerResponse } from 'node:http';

interface Limits {
  /** The maximum number of open streams of a process. */
  readonly total: number;
  /** The maximum number of open streams of one user or account, so that it cannot use up the streams of all others. */
  readonly each: number;
}

/**
 * Counts the open streams of a process, and of each user or account. A stream is open until its response has ended or
 * its client has disconnected.
 */
export function createSlots<Id>({ total, each }: Limits) {
  const held = new Map<Id, number>();
  let streams = 0;

  function change(id: Id, by: 1 | -1): void {
    streams += by;
    const own = (held.get(id) ?? 0) + by;
    if (own === 0) held.delete(id);
    else held.set(id, own);
  }

  return {
    isFull: (id: Id): boolean => streams >= total || (held.get(id) ?? 0) >= each,
    hold(id: Id, response: ServerResponse): void {
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
