import type { Reaction } from '@gatehouse/domain/reactions';

/** The reactions that this server runs. */
export function createReactions(): readonly Reaction[] {
  return [];
}
