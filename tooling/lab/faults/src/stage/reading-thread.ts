import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** The options of a reader, and its results when it is stopped. */
export interface ReadingTask {
  readonly url: string;
  readonly token: string;
  /** The time between two requests, in milliseconds. */
  readonly everyMs: number;
}

export interface Readings {
  /** The duration of each request, in milliseconds. */
  readonly took: readonly number[];
  /** The responses other than 200. */
  readonly failures: readonly string[];
}

const { url, token, everyMs } = workerData as ReadingTask;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const took: number[] = [];
const failures: string[] = [];
let over = false;

function read(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: { authorization: `Bearer ${token}` }, timeout: 10_000 };
    const request = get(url, options, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode));
      response.resume();
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer')));
  });
}

parentPort?.once('message', () => {
  over = true;
});
while (!over) {
  const since = performance.now();
  try {
    const status = await read();
    if (status === 200) took.push(performance.now() - since);
    else failures.push(`answered ${status}`);
  } catch (error) {
    failures.push(String(error));
  }
  await delay(Math.max(0, everyMs - (performance.now() - since)));
}
parentPort?.postMessage({ took, failures } satisfies Readings);
