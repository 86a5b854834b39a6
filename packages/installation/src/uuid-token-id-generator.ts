import type { TokenId, TokenIdGenerator } from '@gatehouse/domain/tokens';
import { v7 } from 'uuid';

/**
 * Creates a generator of UUIDs of version 7 (RFC 9562 section 5.7). Within a process they sort by age even if the
 * machine's clock is set back; between processes as well as their clocks agree.
 */
export function createUuidTokenIdGenerator(): TokenIdGenerator {
  return { next: () => v7() as TokenId };
}
