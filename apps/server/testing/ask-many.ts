import { Agent, request } from 'node:http';

/** Sends a request with each of these tokens, several at a time on persistent connections, and returns the statuses. */
export async function askMany(
  url: string,
  path: string,
  tokens: Iterable<string>,
  atOnce = 8,
): Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const waiting = tokens[Symbol.iterator]();
  const counts = new Map<number, number>();
  const ask = (token: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      request(`${url}${path}`, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end();
    });
  async function work() {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const status = await ask(next.value);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return counts;
}
