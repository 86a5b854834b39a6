import type { User } from './user.ts';
import type { TransferNamesTaken } from './user-repository.ts';

/** Whether a user can be given the API tokens of one who is disabled: another active admin of the same account. */
export function canReceiveTokens(from: User, to: User | undefined): to is User {
  return (
    to !== undefined &&
    to.accountId === from.accountId &&
    to.id !== from.id &&
    to.role === 'admin' &&
    to.disabledAt === null
  );
}

/** The refusal of a transfer that would have to rename tokens. */
export function namesTaken(renamed: readonly RenamedToken[]): TransferNamesTaken {
  return { code: 'transfer_names_taken', names: renamed.map(({ before }) => before) };
}

/** A token's name before and after a transfer. */
export interface RenamedToken {
  readonly before: string;
  readonly after: string;
}

const MAX_NAME_LENGTH = 200;

/**
 * New names for those of the moving tokens' names that the new owner has, too: "ERP" becomes "ERP (2)", or the next
 * number that neither has. A name that would become too long is cut.
 */
export function renamesForTransfer(
  moving: readonly string[],
  taken: readonly string[],
): readonly RenamedToken[] {
  const inUse = new Set([...moving, ...taken]);
  const colliding = new Set(taken);
  return [...new Set(moving)]
    .filter((name) => colliding.has(name))
    .sort()
    .map((before) => {
      let count = 2;
      while (inUse.has(numbered(before, count))) count += 1;
      const after = numbered(before, count);
      inUse.add(after);
      return { before, after };
    });
}

function numbered(name: string, count: number): string {
  const suffix = ` (${count})`;
  // No half of a surrogate pair is left at the cut.
  const kept = name.slice(0, MAX_NAME_LENGTH - suffix.length).replace(/[\ud800-\udbff]$/, '');
  return kept.trimEnd() + suffix;
}
