import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a turn of the event loop is to be, in milliseconds. */
const TURN_MS = 4;
/** However long they take. */
const LEAST_PER_TURN = 8;
/** More than there can be connections: no limit. */
const MOST_PER_TURN = 1_048_576;

/**
 * Keeps turns of the event loop short, however many connections have requests at once: Node accepts one connection from
 * each listening socket in a turn, so in turns of 100 ms clients wait for seconds until they are accepted. After a turn
 * that took longer than `TURN_MS`, the next ones take fewer requests. The connections that sent the others are not read
 * from until their turn comes, and clients take turns, whatever the number of their connections. A connection that is
 * new, or had no request for a while, does not wait.
 *
 * @param clientOf tells which connections are those of one client
 */
export function takeTurns(
  node: Server,
  clientOf: (socket: Socket) => unknown,
  elapsedMs: () => number = () => performance.now(),
): void {
  const waiting = new Map<unknown, Socket[]>();
  let perTurn = MOST_PER_TURN;
  let taken = 0;
  let startedAt = 0;

  function nextWaiting(): Socket | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [client, sockets] = first;
    const socket = sockets.shift();
    waiting.delete(client);
    // After all other clients.
    if (sockets.length > 0) waiting.set(client, sockets);
    return socket;
  }

  function nextTurn(): void {
    const now = elapsedMs();
    const tookLong = now - startedAt > TURN_MS;
    perTurn = tookLong
      ? Math.max(LEAST_PER_TURN, Math.min(perTurn, taken) >> 1)
      : Math.min(MOST_PER_TURN, perTurn * 2);
    startedAt = now;
    taken = 0;
    for (let left = perTurn; left > 0; ) {
      const socket = nextWaiting();
      if (socket === undefined) return;
      if (socket.destroyed) continue;
      socket.resume();
      left -= 1;
    }
    if (waiting.size > 0) setImmediate(nextTurn);
  }

  node.prependListener('request', ({ socket }) => {
    if (taken === 0 && waiting.size === 0) {
      startedAt = elapsedMs();
      setImmediate(nextTurn);
    }
    taken += 1;
    if (taken <= perTurn && waiting.size === 0) return;
    const client = clientOf(socket);
    const sockets = waiting.get(client);
    if (sockets) sockets.push(socket);
    else waiting.set(client, [socket]);
    // Node resumes it when it has read the whole request, which is right after this.
    process.nextTick(() => socket.pause());
  });
}
