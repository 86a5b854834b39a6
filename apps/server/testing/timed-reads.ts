import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a read is tried again that is not decided, in milliseconds. */
const DECIDED_WITHIN_MS = 60_000;

interface TimedRead {
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** Reads with one token on one connection that stays open, so that nothing but the answer takes time. */
export function openTimedReads(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };

  function readOnce(path: string): Promise<TimedRead> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const onResponse = (response: IncomingMessage) => {
        const milliseconds = performance.now() - since;
        response.once('end', () => resolve({ status: response.statusCode, milliseconds })).resume();
      };
      const sent = request(`${url}${path}`, { agent, headers }, onResponse);
      sent.once('error', (error) => {
        // The server closed it, for nothing was asked on it for seconds.
        if (sent.reusedSocket) readOnce(path).then(resolve, reject);
        else reject(error);
      });
      sent.end();
    });
  }

  return {
    /** The status of a decision, and the milliseconds it took: a 503 is none, and is asked again. */
    async read(path: string): Promise<TimedRead> {
      const since = performance.now();
      for (;;) {
        const read = await readOnce(path);
        if (read.status !== 503 || performance.now() - since > DECIDED_WITHIN_MS) return read;
        await delay(10);
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
