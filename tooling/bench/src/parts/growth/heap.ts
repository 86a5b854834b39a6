import { setTimeout as delay } from 'node:timers/promises';
import { measure } from '../../load/measure.ts';
import type { Effort } from '../../options.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import type { Say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import type { FilledDatabase } from './filled-database.ts';

export interface HeapResult {
  readonly tokens: number;
  /** The heap that remains after garbage collection for each token used once. */
  readonly bytesPerToken: number;
}

const PROBE = new URL('../../servers/heap-probe.ts', import.meta.url);
const CONNECTIONS = 32;
/** Dropped entries would make the rest look small. */
const NO_LIMITS = { CACHE_TOKENS: '10000000', CACHE_TOKENS_MB: '10000' };
/** Usage is stored within a second, and then dropped. */
const FLUSHED_MS = 3_000;

/** Requests the caller's identity, which needs the token and its user but no organization. */
export async function measureHeap(
  stage: Stage,
  { store, size }: FilledDatabase,
  { inUse }: Effort,
  say: Say,
): Promise<HeapResult> {
  const count = Math.max(...inUse);
  // The first tenth creates everything that exists once.
  const first = Math.ceil(count / 10);
  const tokens = await createTokensInUse(store, size, { count: first + count, prefix: 'Heap' });
  const requests = await stage.writeRequests(
    'heap',
    tokens.map(({ request }) => ({ ...request, path: '/api/v1/me.json' })),
  );
  await using server = await startGatehouse({
    databaseUrl: store.url,
    masterKey: stage.masterKey,
    cores: stage.cores?.server,
    settings: { NODE_OPTIONS: `--import=${PROBE}`, ...NO_LIMITS },
  });
  const heapAfter = async (offset: number, amount: number) => {
    await measure(
      server,
      { requests, pick: 'in-order', offset, amount, connections: CONNECTIONS },
      stage.cores,
    );
    await delay(FLUSHED_MS);
    return server.heapBytes();
  };
  say(`using ${first + count} tokens once`);
  const before = await heapAfter(0, first);
  const after = await heapAfter(first, count);
  return { tokens: count, bytesPerToken: (after - before) / count };
}
