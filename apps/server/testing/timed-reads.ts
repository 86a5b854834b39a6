import { Agent, request } from 'node:http';

/** Reads with one token on one connection that stays open, so that nothing but the answer takes time. */
export interface TimedReads extends Disposable {
  read(path: string): Promise<{ readonly status: number | undefined; readonly milliseconds: number }>;
}

export function openTimedReads(url: string, token: string): TimedReads {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };
  return {
    read: (path) =>
      new Promise((resolve, reject) => {
        const since = performance.now();
        const sent = request(`${url}${path}`, { agent, headers }, (response) => {
          const milliseconds = performance.now() - since;
          response.once('end', () => resolve({ status: response.statusCode, milliseconds })).resume();
        });
        sent.once('error', reject).end();
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
