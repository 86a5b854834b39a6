import { onTestFinished } from 'vitest';
import type { Repositories } from '../../src/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import { aTokenId, givenAdmin, givenToken } from '../fixtures.ts';

/** Opens a store for one test, with tokens of one user. */
export async function openWithTokens<S extends Repositories & { close(): Promise<void> }>(
  open: () => Promise<S>,
  count: number,
) {
  const store = await open();
  onTestFinished(store.close);
  const user = await givenAdmin(store);
  const tokens: Token[] = [];
  while (tokens.length < count) tokens.push(await givenToken(store, user));
  const ids = tokens.map((token) => token.id);
  const [id = aTokenId()] = ids;
  return { ...store, id, ids };
}
