import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a turn of the event loop is to be, in milliseconds. */
const TURN_MS = 4;
/** However long they take. */
const LEAST_PER_TURN = 32;
/** With so many connections turns are left as they are, and not even measured, which would cost each request a few percent. */
const FEW_CONNECTIONS = 2 * LEAST_PER_TURN;
/** More than there can be connections: no limit. */
const MOST_PER_TURN = 1_048_576;

export interface Turns {
  /** Whether a connection is not read from until it is its turn. */
  awaitsTurn(socket: Socket): boolean;
}

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
): Turns {
  /** By client, in the order of their turns. */
  const queues = new Map<unknown, Set<Socket>>();
  /** Each connection in a queue, once, and whose it is. */
  const clients = new Map<Socket, unknown>();
  let open = 0;
  let perTurn = MOST_PER_TURN;
  let taken = 0;
  let startedAt = 0;

  function wait(socket: Socket): void {
    const client = clientOf(socket);
    clients.set(socket, client);
    const queue = queues.get(client) ?? new Set();
    queues.set(client, queue.add(socket));
    // Node resumes it when it has read the whole request, which is right after this.
    process.nextTick(() => clients.has(socket) && socket.pause());
  }

  function leave(socket: Socket): void {
    const client = clients.get(socket);
    if (!clients.delete(socket)) return;
    const queue = queues.get(client);
    queue?.delete(socket);
    if (queue?.size === 0) queues.delete(client);
  }

  function resumeNext(): void {
    for (const [client, queue] of queues) {
      const [socket] = queue;
      if (socket === undefined) return;
      leave(socket);
      // After all other clients.
      if (queues.delete(client)) queues.set(client, queue);
      socket.resume();
      return;
    }
  }

  function nextTurn(): void {
    const now = elapsedMs();
    const tookLong = now - startedAt > TURN_MS;
    perTurn = tookLong
      ? Math.max(LEAST_PER_TURN, Math.min(perTurn, taken) >> 1)
      : Math.min(MOST_PER_TURN, perTurn * 2);
    startedAt = now;
    taken = 0;
    for (let left = Math.min(perTurn, clients.size); left > 0; left -= 1) resumeNext();
    if (clients.size > 0) setImmediate(nextTurn);
  }

  node.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      leave(socket);
    });
    // Node reads on when a handler wants the body, or when a response is finished before the body has come.
    socket.on('resume', () => clients.has(socket) && socket.pause());
  });
  node.prependListener('request', ({ socket }) => {
    if (open <= FEW_CONNECTIONS) return;
    if (taken === 0 && clients.size === 0) {
      startedAt = elapsedMs();
      setImmediate(nextTurn);
    }
    taken += 1;
    if (taken > perTurn || clients.size > 0) wait(socket);
  });
  return { awaitsTurn: (socket) => clients.has(socket) };
}
