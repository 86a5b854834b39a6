import { setTimeout as delay } from 'node:timers/promises';
import { measure } from '../../load/measure.ts';
import { CONNECTIONS } from '../../load/plan.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

export interface HeapResult {
  readonly tokens: number;
  /** The heap that remains after garbage collection for each token used once. */
  readonly bytesPerToken: number;
}

const PROBE = new URL('../../servers/heap-probe.ts', import.meta.url);
/** If entries were dropped, each token would seem to take less. */
const NO_LIMITS = { CACHE_TOKENS: '10000000', CACHE_TOKENS_MB: '10000' };
/** Usage is stored within a second, and then dropped. */
const FLUSHED_MS = 3_000;

/** Requests the caller's identity, which needs the token and its user but no organization. */
export async function measureHeap(directory: Directory, { inUse }: Effort): Promise<HeapResult> {
  const { stage } = directory;
  const count = Math.max(...inUse);
  // The first tenth creates everything that exists once.
  const first = Math.ceil(count / 10);
  const tokens = await createTokensInUse(directory, first + count, 'Heap');
  const requests = await stage.writeRequests(
    'heap',
    tokens.map(({ request }) => ({ ...request, path: '/api/v1/me.json' })),
  );
  const settings = { NODE_OPTIONS: `--import=${PROBE}`, ...NO_LIMITS };
  await using server = await startGatehouse(directory, settings);
  const heapAfter = async (offset: number, amount: number) => {
    const load = { requests, pick: 'in-order', offset, amount, connections: CONNECTIONS } as const;
    await measure(server, load, stage.cores);
    await delay(FLUSHED_MS);
    return server.heapBytes();
  };
  say(`using ${first + count} tokens once`);
  const before = await heapAfter(0, first);
  const after = await heapAfter(first, count);
  return { tokens: count, bytesPerToken: (after - before) / count };
}
