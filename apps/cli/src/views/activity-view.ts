import { formatInstant } from '@gatehouse/domain/time';
import type { RefusalCounts, TokenActivity } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { counted } from './count.ts';

/** Formats the uses and refusals of a token in about a second, in one line. */
export function activityLine({ at, name, tokenId, creator, uses, refusals }: TokenActivity): string {
  const token = `${name} (${tokenId})`;
  const counts = [counted(uses, 'use'), ...refusedTimes(refusals)];
  return printable([shortTime(at), token, creator.email, counts.join(', ')].join('  '));
}

export function activityDocument({ at, name, tokenId, creator, uses, refusals }: TokenActivity): object {
  return { at: formatInstant(at), id: tokenId, name, user: creator, uses, refusals };
}

/** Describes how often a token was refused and why, the most frequent reason first. Empty if it was not refused. */
function refusedTimes(refusals: RefusalCounts): readonly string[] {
  const reasons = Object.entries(refusals).toSorted(
    ([a, one], [b, other]) => other - one || (a < b ? -1 : 1),
  );
  if (reasons.length === 0) return [];
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  return [`${total} refused: ${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')}`];
}
