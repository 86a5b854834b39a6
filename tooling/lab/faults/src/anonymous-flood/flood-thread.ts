import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The options of a flood, and its counts when it is stopped. */
export interface FloodTask {
  readonly url: string;
  /** The raw requests, sent one after the other. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** The number of requests sent on a connection before the first is answered. */
  readonly pipelined: number;
  /**
   * The maximum rate in requests a second, over all connections. Above the machine's capacity, no request is answered.
   */
  readonly perSecond: number;
  /** The flood does not stop before this many responses, however busy the machine is. */
  readonly minAnswered: number;
}

export interface Flooded {
  /** The number of responses by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** The maximum number of open connections. */
  readonly held: number;
}

/** The number of connections opened in one turn, and the milliseconds between turns. */
const OPENED_AT_ONCE = 50;
const OPENED_EVERY_MS = 10;
/** How often, in all, a closed connection is opened again. */
const MAX_CLOSED = 20_000;

const { url, requests, connections, pipelined, perSecond, minAnswered } = workerData as FloodTask;
const { hostname, port } = new URL(url);
/** The time between two batches of a connection, in milliseconds. */
const batchEveryMs = (1000 * connections * pipelined) / perSecond;
const answers: Record<string, number> = {};
const open = new Set<Socket>();
let [held, answered, closed, next] = [0, 0, 0, 0];
let [isToStop, over] = [false, false];

function batch(): string {
  return Array.from({ length: pipelined }, () => requests[next++ % requests.length]).join('');
}

function openOne(): void {
  const socket = connect(Number(port), hostname);
  let unanswered = 0;
  let rest = '';
  let sentAt = 0;
  const send = () => {
    if (over || socket.destroyed) return;
    sentAt = performance.now();
    unanswered = pipelined;
    socket.write(batch());
  };
  socket.on('connect', () => {
    open.add(socket);
    held = Math.max(held, open.size);
    // Spread over the interval from the start.
    setTimeout(send, Math.random() * batchEveryMs);
  });
  socket.on('data', (data) => {
    const text = rest + data.toString('latin1');
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      answers[status] = (answers[status] ?? 0) + 1;
      unanswered -= 1;
      answered += 1;
    }
    stopOnceAnswered();
    // A status line may arrive in two chunks.
    rest = /(?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1|HTTP\/1\.|HTTP\/1\.1 ?\d{0,2})$/.exec(text)?.[0] ?? '';
    if (unanswered > 0) return;
    unanswered = Number.POSITIVE_INFINITY;
    setTimeout(send, Math.max(0, sentAt + batchEveryMs - performance.now()));
  });
  // Any error ends the connection.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    open.delete(socket);
    closed += over ? 0 : 1;
    if (!over && closed < MAX_CLOSED) setTimeout(openOne, 100);
  });
}

let opened = 0;
const opening = setInterval(() => {
  const missing = Math.min(OPENED_AT_ONCE, connections - opened);
  for (let one = 0; one < missing; one += 1) openOne();
  opened += missing;
  if (opened >= connections) clearInterval(opening);
}, OPENED_EVERY_MS);

function stopOnceAnswered(): void {
  if (over || !isToStop || answered < minAnswered) return;
  over = true;
  clearInterval(opening);
  for (const socket of open) socket.destroy();
  parentPort?.postMessage({ answers, held } satisfies Flooded);
}

parentPort?.once('message', () => {
  isToStop = true;
  stopOnceAnswered();
});
