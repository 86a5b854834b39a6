import { type Gatehouse, readJson } from '../gatehouse.ts';
import { DECLARED } from '../networks/conditions.ts';
import { type Introspection, toIntrospection } from '../questions/introspect.ts';

/** The server refuses more ids in one request. */
export const MAX_IDS = 200;

/** 200 answers, each with 4,000 characters of scopes, a name, and the records on which it depends, take 1.1 MB. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Introspects tokens again by their ids. Resolves with an answer for each id, in the same order; `unknown` if the
 * server is an older one.
 *
 * @throws if there is no such answer in time
 */
export async function askAgain(
  gatehouse: Gatehouse,
  ids: readonly string[],
  timeoutMs: number,
): Promise<readonly Introspection[] | 'unknown'> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await gatehouse.postJson(
    '/api/v1/token-refreshes',
    { tokens: ids, conditions: DECLARED },
    signal,
  );
  if (response.status === 404 || response.status === 405) {
    await response.body?.cancel();
    return 'unknown';
  }
  const { tokens } = (await readJson(response, MAX_BYTES)) as { tokens?: unknown };
  if (!Array.isArray(tokens) || tokens.length !== ids.length)
    throw new TypeError('not an answer for each id');
  return tokens.map(toIntrospection);
}
