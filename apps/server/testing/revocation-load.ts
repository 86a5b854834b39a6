import { call } from './client.ts';
import type { ApiToken, Cluster } from './cluster.ts';
import { latenessesOf, warm } from './revocation-watch.ts';

/** Others who go on asking, each node by two of them, until it is disposed of. */
function startLoad({ nodes, path }: Cluster, tokens: readonly ApiToken[]) {
  const sent = () => nodes.reduce((sum, { statements }) => sum + statements(), 0);
  const sentBefore = sent();
  let over = false;
  let answers = 0;
  const failures: number[] = [];
  const asking = [...nodes, ...nodes].map(async ({ url }, place) => {
    for (let turn = place; !over; turn += 1) {
      const { status } = await call(url, path, { token: tokens[turn % tokens.length]?.secret ?? '' });
      if (status === 200) answers += 1;
      else failures.push(status);
    }
  });
  return {
    async stop() {
      over = true;
      await Promise.all(asking);
      return { answers, failures, statements: sent() - sentBefore };
    },
  };
}

/** Revokes so many tokens, four at a time, while every node answers requests with others. */
export async function revokeUnderLoad(cluster: Cluster, revocations: number) {
  const tokens = await cluster.newTokens(revocations);
  const used = await cluster.newTokens(20);
  await warm(cluster, tokens);
  const load = startLoad(cluster, used);
  const latenesses = await latenessesOf(cluster, tokens, 4);
  return { latenesses, tokens, load: await load.stop() };
}
