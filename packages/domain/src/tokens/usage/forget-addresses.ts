import type { Ports } from '../../ports.ts';
import { addMilliseconds, LAST_INSTANT } from '../../time/instant.ts';

/** How long an address is kept after it was last seen, and up to a day longer. */
const ADDRESS_MEMORY_MS = 90 * 86_400_000;
/** The number of tokens per statement: small enough for its time limit. */
const BATCH = 1000;

/**
 * Deletes the addresses of use that are 90 days old, or all addresses of use, in batches. Returns the number of tokens that had
 * any of them.
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
