import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** Requests at a constant rate, in turn to each of the URLs. */
export interface KnownReadsTask {
  readonly urls: readonly string[];
  readonly token: string;
  readonly perSecond: number;
}

/**
 * For each request, when it was sent, in milliseconds since 1970, and the status of its response; 0 without a response.
 */
export interface KnownReads {
  readonly sentAt: Float64Array;
  readonly statuses: Uint16Array;
}

const TICK_MS = 10;
/** The maximum number of requests under way: a server that hangs must not fill the memory. */
const MAX_UNDER_WAY = 2000;

const { urls, token, perSecond } = workerData as KnownReadsTask;
/** The errors of writing to a connection that the other end has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const headers = { authorization: `Bearer ${token}` };
const sentAt: number[] = [];
const statuses: number[] = [];
let underWay = 0;

const wallClock = () => performance.timeOrigin + performance.now();

function send(url: string): void {
  const index = sentAt.push(wallClock()) - 1;
  statuses[index] = 0;
  underWay += 1;
  ask(url, index);
}

/** Repeats a request, as clients do, if the server closed the idle connection at the moment when it was used again. */
function ask(url: string, index: number): void {
  let asksAgain = false;
  const request = get(url, { agent, headers, timeout: 10_000 }, (response) => {
    statuses[index] = response.statusCode ?? 0;
    response.resume();
  });
  // Until then, it waited for a connection, and was not sent.
  request.once('socket', () => {
    sentAt[index] = wallClock();
  });
  request.on('timeout', () => request.destroy());
  request.on('error', (error) => {
    asksAgain = request.reusedSocket && 'code' in error && CLOSED.has(String(error.code));
  });
  request.on('close', () => {
    if (asksAgain) ask(url, index);
    else underWay -= 1;
  });
}

let owed = 0;
let last = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  owed = Math.min(owed + ((now - last) * perSecond) / 1000, perSecond / 10);
  last = now;
  for (; owed >= 1 && underWay < MAX_UNDER_WAY; owed -= 1) send(urls[sentAt.length % urls.length] as string);
}, TICK_MS);

parentPort?.once('message', () => {
  clearInterval(timer);

  // The last responses are still to come.
  setTimeout(() => {
    const reads: KnownReads = { sentAt: Float64Array.from(sentAt), statuses: Uint16Array.from(statuses) };
    parentPort?.postMessage(reads);
  }, 1000);
});
