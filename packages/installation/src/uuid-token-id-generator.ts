import type { TokenId, TokenIdGenerator } from '@gatehouse/domain/tokens';
import { v7 } from 'uuid';

/**
 * UUIDs of version 7 (RFC 9562 section 5.7). Within a process they sort by age even when the machine's
 * clock steps back; between processes as well as their clocks agree.
 */
export function createUuidTokenIdGenerator(): TokenIdGenerator {
  return { next: () => v7() as TokenId };
}
