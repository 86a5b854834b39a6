import { untilReady, untilStatus } from './ask.ts';
import type { Ledger } from './ledger.ts';
import { until } from './until.ts';

/**
 * Resolves when everything that a client may want works: a token is made, accepted as soon as it is known, and every server
 * is ready. Returns the duration in milliseconds.
 */
export async function untilBack(
  nodes: readonly { url: string; opsUrl: string }[],
  ledger: Ledger,
  path: string,
): Promise<number> {
  const since = performance.now();
  const made = (async () => {
    let secret: string | undefined;
    await until('a token is made', async () => {
      secret = (await ledger.create())?.secret;
      return secret !== undefined;
    });
    await Promise.all(nodes.map(({ url }) => untilStatus(200, `${url}${path}`, secret)));
  })();
  await Promise.all([made, ...nodes.map(({ opsUrl }) => untilReady(opsUrl))]);
  return performance.now() - since;
}
