import type { ServerNode } from '../stage/node.ts';
import type { KnownFacts } from './requests.ts';

/** As many as the fuzzer sends at once. */
const MAX_AT_ONCE = 20;

/**
 * Introspects a token once, then twice at once, and so on, so that the server opens its connections to the database one
 * after the other. Without it, 20 requests at once open all connections of a server that has just started. On a busy
 * machine that takes longer than a request waits for a read, and some answers are 503.
 */
export async function warmUp({ url }: ServerNode, { credential, tokens }: KnownFacts): Promise<void> {
  const introspect = async () => {
    const answer = await fetch(`${url}/api/v1/introspect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}` },
      body: new URLSearchParams({ token: tokens.good[0] ?? '' }),
    });
    if (answer.status !== 200) throw new Error(`introspection answered ${answer.status}`);
    await answer.text();
  };
  for (let count = 1; count <= MAX_AT_ONCE; count += 1)
    await Promise.all(Array.from({ length: count }, introspect));
}
