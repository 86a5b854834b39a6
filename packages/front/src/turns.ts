import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTurnOrder } from '@gatehouse/queues';
import type { Clients } from './clients.ts';

/** The time that a turn of the event loop should take at most, in milliseconds. */
const TURN_MS = 4;
/** The smallest limit of requests per turn, even if turns take longer than `TURN_MS`. */
const MIN_PER_TURN = 32;
/**
 * If a process has this number of connections or fewer, the requests per turn of the event loop are not limited,
 * because measuring the turns makes each request a few percent slower.
 */
const MIN_LIMITED_CONNECTIONS = 2 * MIN_PER_TURN;
/** The largest limit of requests per turn. It limits nothing, because a process cannot have this many connections. */
const MAX_PER_TURN = 1_048_576;

/**
 * Keeps turns of the event loop short when many connections have requests at once. In each turn Node accepts one new
 * connection from each listening socket. If turns took 100 ms, new clients would wait for seconds.
 *
 * After a turn of the event loop that took longer than `TURN_MS`, the next turns handle fewer requests. If a connection
 * sends a request beyond that number, the connection is paused. In later turns, paused connections are continued, one
 * of each client after another, so a client with many connections is not served more often than others. A connection is
 * paused only after one of its requests was read, so new and idle connections are not paused.
 *
 * The connection of a trusted proxy has requests of many clients, so the connection is never paused. Instead, each of
 * its requests waits among the paused connections of the client that sent the request.
 *
 * @param clients finds the client of a connection or request. If undefined, each connection counts as a client of its
 * own
 */
export function takeTurns(node: Server, clients?: Clients, elapsedMs = () => performance.now()) {
  const isProxy = clients?.isProxy;
  const waiting = createTurnOrder<unknown, () => void>();
  /** The paused connections, from which nothing is read. Each has the function that removes it from the queue. */
  const paused = new Map<Socket, () => void>();
  const ofProxies = new WeakSet<Socket>();
  let open = 0;
  let isMeasured = false;
  let perTurn = MAX_PER_TURN;
  let taken = 0;
  let startedAt = 0;

  function pause(socket: Socket): void {
    const client = clients?.ofConnection(socket) ?? socket;
    const resume = () => {
      paused.delete(socket);
      socket.resume();
    };
    paused.set(socket, () => waiting.remove(client, resume));
    waiting.add(client, resume);
    // The socket is paused in the next tick, because Node may resume it right after this call.
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
    if (isProxy?.(socket)) ofProxies.add(socket);
    // Node also resumes a socket when a handler reads the body, or a response ends before the body has arrived.
    else socket.on('resume', () => paused.has(socket) && socket.pause());
  });
  function take({ socket }: IncomingMessage): void {
    if (open <= MIN_LIMITED_CONNECTIONS) return;
    measure();
    if (isProxy && ofProxies.has(socket)) return;
    if (!mayTakeOne()) pause(socket);
    taken += 1;
  }

  return {
    /**
     * Counts a request. The caller must call this for each request that is read, because counting the requests with a
     * `request` listener of its own would be slower.
     */
    take,
    /** Returns whether the connection is paused, so that other clients are served before its client. */
    awaitsTurn: (socket: Socket) => paused.has(socket),
    /**
     * Returns a handler that delays a request from a trusted proxy until the client of that request is served next. It
     * handles all other requests at once.
     */
    inTurn(handle: RequestListener): RequestListener {
      if (!clients || !isProxy) return handle;
      return (request, response) => {
        const { socket } = request;
        if (!isMeasured || !ofProxies.has(socket)) return handle(request, response);
        const handleNow = () => {
          taken += 1;
          if (!socket.destroyed) handle(request, response);
        };
        if (mayTakeOne()) handleNow();
        else waiting.add(clients.ofRequest(request), handleNow);
      };
    },
  };
}
