import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createClientQueues } from './client-queues.ts';
import type { RequestHandler } from './request-handler.ts';

/** How long a turn of the event loop is to be, in milliseconds. */
const TURN_MS = 4;
/** However long they take. */
const MIN_PER_TURN = 32;
/** With so many connections turns are left as they are, and not even measured, which would cost each request a few percent. */
const MIN_LIMITED_CONNECTIONS = 2 * MIN_PER_TURN;
/** More than there can be connections: no limit. */
const MAX_PER_TURN = 1_048_576;

export interface TurnOptions {
  /** Tells which connections are those of one client. */
  readonly clientOf: (socket: Socket) => unknown;
  /** Connections on which requests of several clients come. None by default. */
  readonly proxies?: Proxies | undefined;
  readonly elapsedMs?: () => number;
}

interface Proxies {
  isProxy(socket: Socket): boolean;
  /** Tells which requests are those of one client. */
  clientOf(request: IncomingMessage): unknown;
}

/**
 * Keeps turns of the event loop short, however many connections have requests at once: Node accepts one connection from
 * each listening socket in a turn, so in turns of 100 ms clients wait for seconds until they are accepted. After a turn
 * that took longer than `TURN_MS`, the next ones take fewer requests. The connections that sent the others are not read
 * from until their turn comes, and clients take turns, whatever the number of their connections. A connection that is
 * new, or had no request for a while, does not wait.
 *
 * The next request on a connection of a proxy may be another client's. Such connections are read from, and their requests
 * wait, the first of a connection too.
 */
export function takeTurns(
  node: Server,
  { clientOf, proxies, elapsedMs = () => performance.now() }: TurnOptions,
) {
  const waiting = createClientQueues<() => void>();
  /** Connections that are not read from, each with what takes it out of the queue. */
  const paused = new Map<Socket, () => void>();
  const ofProxies = new WeakSet<Socket>();
  let open = 0;
  let isMeasured = false;
  let perTurn = MAX_PER_TURN;
  let taken = 0;
  let startedAt = 0;

  function pause(socket: Socket): void {
    const client = clientOf(socket);
    const resume = () => {
      paused.delete(socket);
      socket.resume();
    };
    paused.set(socket, () => waiting.remove(client, resume));
    waiting.add(client, resume);
    // Node resumes it when it has read the whole request, which is right after this.
    process.nextTick(() => paused.has(socket) && socket.pause());
  }

  function measure(): void {
    if (isMeasured) return;
    isMeasured = true;
    startedAt = elapsedMs();
    taken = 0;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    const now = elapsedMs();
    const tookLong = now - startedAt > TURN_MS;
    perTurn = tookLong
      ? Math.max(MIN_PER_TURN, Math.min(perTurn, taken) >> 1)
      : Math.min(MAX_PER_TURN, perTurn * 2);
    startedAt = now;
    taken = 0;
    for (let left = Math.min(perTurn, waiting.size()); left > 0; left -= 1) waiting.next()?.();
    isMeasured = waiting.size() > 0;
    if (isMeasured) setImmediate(nextTurn);
  }

  function mayTakeOne(): boolean {
    return taken < perTurn && waiting.size() === 0;
  }

  node.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      const leaveQueue = paused.get(socket);
      leaveQueue?.();
      paused.delete(socket);
    });
    if (proxies?.isProxy(socket)) ofProxies.add(socket);
    // Node reads on when a handler wants the body, or when a response is finished before the body has come.
    else socket.on('resume', () => paused.has(socket) && socket.pause());
  });
  function take({ socket }: IncomingMessage): void {
    if (open <= MIN_LIMITED_CONNECTIONS) return;
    measure();
    if (proxies && ofProxies.has(socket)) return;
    if (!mayTakeOne()) pause(socket);
    taken += 1;
  }

  return {
    /** Called with each request when it was read. A second listener of the server would cost more. */
    take,
    /** Whether a connection is not read from until it is its turn. */
    awaitsTurn: (socket: Socket) => paused.has(socket),
    /** Handles requests that come through a proxy in the turns of their clients, all others at once. */
    inTurn(handle: RequestHandler): RequestHandler {
      if (!proxies) return handle;
      return (request, response) => {
        const { socket } = request;
        if (!isMeasured || !ofProxies.has(socket)) return handle(request, response);
        const handleNow = () => {
          taken += 1;
          if (!socket.destroyed) handle(request, response);
        };
        if (mayTakeOne()) handleNow();
        else waiting.add(proxies.clientOf(request), handleNow);
      };
    },
  };
}
