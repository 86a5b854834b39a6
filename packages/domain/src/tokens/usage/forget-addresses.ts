import type { Ports } from '../../ports.ts';
import { addMilliseconds, LAST_INSTANT } from '../../time/instant.ts';

/** An address is deleted when it was last seen this many milliseconds ago (90 days), or up to a day later. */
const ADDRESS_MEMORY_MS = 90 * 86_400_000;
/** The number of tokens per statement. It is small enough that the statement ends within its time limit. */
const BATCH = 1000;

/**
 * Deletes the stored client addresses that were last seen 90 days ago or earlier, or all of them, in batches. Returns
 * the number of tokens whose addresses were deleted.
 */
export function forgetAddresses({ tokens, clock }: Ports<'tokens' | 'clock'>) {
  return async (which: 'old' | 'all'): Promise<number> => {
    const before = which === 'all' ? LAST_INSTANT : addMilliseconds(clock.now(), -ADDRESS_MEMORY_MS);
    let forgotten = 0;
    for (;;) {
      const count = await tokens.forgetAddresses({ before, limit: BATCH });
      forgotten += count;
      if (count < BATCH) return forgotten;
    }
  };
}
