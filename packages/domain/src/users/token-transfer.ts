import { actingUser } from '../audit/acting-user.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { User } from './user.ts';

/** Whether a user can receive a disabled user's API tokens: only another active admin of the same account can. */
export function canReceiveTokens(from: User, to: User | undefined): to is User {
  return (
    to !== undefined &&
    to.accountId === from.accountId &&
    to.id !== from.id &&
    to.role === 'admin' &&
    to.disabledAt === null
  );
}

/** The error if an admin would give a member's tokens to an admin, with whose rights they would then act. */
export interface TransferRaisesRights {
  readonly code: 'transfer_raises_rights';
}

/**
 * Whether a transfer would raise the rights of the tokens although only an admin decides it. The tokens of a member
 * have a member's rights, and only an admin can receive them. An operator may decide so.
 */
export function raisesRights(from: Pick<User, 'role'>, event: Pick<AuditEvent, 'actor'>): boolean {
  return from.role !== 'admin' && actingUser(event) !== undefined;
}

/** The new owner already has live API tokens with these names. */
export interface TransferNamesTaken {
  readonly code: 'transfer_names_taken';
  readonly names: readonly string[];
}

/** Creates the error of a transfer that is refused because it would have to rename tokens. */
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
 * Returns new names for the tokens whose names the new owner already uses. "ERP" becomes "ERP (2)" or, if one of the
 * two owners already uses that name, has the next free number. A name that would become too long is cut.
 */
export function renamesForTransfer(moving: readonly string[], taken: readonly string[]): RenamedToken[] {
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
  // The shortened name must not end with half of a surrogate pair.
  const kept = name.slice(0, MAX_NAME_LENGTH - suffix.length).replace(/[\ud800-\udbff]$/, '');
  return kept.trimEnd() + suffix;
}
