import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** What a flood is made of, and what it counted once it is told to stop. */
export interface FloodTask {
  readonly url: string;
  /** Requests as they are sent, one after the other. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** On each connection so many are sent before the first is answered. */
  readonly pipelined: number;
  /** Most requests a second, over all connections. Above what the machine can do, no request is answered. */
  readonly perSecond: number;
}

export interface Flooded {
  /** By status. */
  readonly answers: Readonly<Record<string, number>>;
  /** The most connections that were open at once. */
  readonly held: number;
  /** Connections that were closed before it ended. */
  readonly closed: number;
}

/** Connections that are opened in one turn, so many milliseconds apart. */
const OPENED_AT_ONCE = 50;
const OPENED_EVERY_MS = 10;
/** A connection that is closed is opened anew, so many times in all. */
const MAX_CLOSED = 20_000;

const { url, requests, connections, pipelined, perSecond } = workerData as FloodTask;
const { hostname, port } = new URL(url);
/** From one batch of a connection to its next, in milliseconds. */
const batchEveryMs = (1000 * connections * pipelined) / perSecond;
const answers: Record<string, number> = {};
const open = new Set<Socket>();
let [held, closed, next] = [0, 0, 0];
let over = false;

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
    // Spread out from the beginning.
    setTimeout(send, Math.random() * batchEveryMs);
  });
  socket.on('data', (data) => {
    const text = rest + data.toString('latin1');
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      answers[status] = (answers[status] ?? 0) + 1;
      unanswered -= 1;
    }
    // A status line may come in two pieces.
    rest = /(?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1|HTTP\/1\.|HTTP\/1\.1 ?\d{0,2})$/.exec(text)?.[0] ?? '';
    if (unanswered > 0) return;
    unanswered = Number.POSITIVE_INFINITY;
    setTimeout(send, Math.max(0, sentAt + batchEveryMs - performance.now()));
  });
  // Whatever ends it ends it.
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

parentPort?.once('message', () => {
  over = true;
  clearInterval(opening);
  for (const socket of open) socket.destroy();
  parentPort?.postMessage({ answers, held, closed } satisfies Flooded);
});
