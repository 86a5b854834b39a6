import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTurnOrder } from '@gatehouse/queues';
import type { Clients } from './clients.ts';

/** The longest time that a turn of the event loop should take, in milliseconds. */
const TURN_MS = 4;
/** The number of requests that a turn handles at least, regardless of time. */
const MIN_PER_TURN = 32;
/** With fewer connections, turns are not limited: measuring them would make each request a few percent slower. */
const MIN_LIMITED_CONNECTIONS = 2 * MIN_PER_TURN;
/** No limit: a process cannot have this many connections. */
const MAX_PER_TURN = 1_048_576;

/**
 * Keeps turns of the event loop short when many connections have requests at once. In each turn Node accepts one new
 * connection from each listening socket. If turns took 100 ms, new clients would wait for seconds.
 *
 * After a turn that took longer than `TURN_MS`, the next turns handle fewer requests. A connection with a further request is
 * paused until it is its client's turn; a client has one turn, however many connections it has. A connection that is new, or
 * had no request for a while, is not paused.
 *
 * The connection of a trusted proxy carries requests of many clients, so it is never paused. Each of its requests waits for
 * the turn of its own client.
 *
 * @param clients undefined if each connection is a client of its own
 */
export function takeTurns(node: Server, clients?: Clients, elapsedMs = () => performance.now()) {
  const isProxy = clients?.isProxy;
  const waiting = createTurnOrder<unknown, () => void>();
  /** Connections that are not read from, each with the function that removes it from the queue. */
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
    // If Node has read the whole request, it resumes the socket right after this call.
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
    // Node reads on when a handler wants the body, or when a response is finished before the body has arrived.
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
    /** Counts a request that was read. To be called for each; a second listener of the server would cost more. */
    take,
    /** Whether the connection waits for its turn and is not read until then. */
    awaitsTurn: (socket: Socket) => paused.has(socket),
    /** Handles requests from a proxy in the turns of their clients, and all others at once. */
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
