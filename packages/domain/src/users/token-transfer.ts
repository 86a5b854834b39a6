import { actingUser } from '../audit/acting-user.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Token, TokenId } from '../tokens/token.ts';
import type { User, UserId } from './user.ts';
import type { DisableOptions, TransferTargetNotFit } from './user-repository.ts';

/**
 * Whether a user can receive another user's API tokens: only an active admin or service account of the same account
 * can.
 */
export function canReceiveTokens(from: User, to: User | undefined): to is User {
  return (
    to !== undefined &&
    to.accountId === from.accountId &&
    to.id !== from.id &&
    (to.kind === 'service' || to.role === 'admin') &&
    to.disabledAt === null
  );
}

/**
 * The error if an admin would give a member's tokens to an owner with the role admin, with whose rights they would
 * then act.
 */
export interface TransferRaisesRights {
  readonly code: 'transfer_raises_rights';
}

/**
 * Whether a transfer would raise the rights of the tokens although only an admin decides it. The tokens of a member
 * have a member's rights. An operator may decide so.
 */
export function raisesRights(
  from: Pick<User, 'role'>,
  to: Pick<User, 'role'>,
  event: Pick<AuditEvent, 'actor'>,
): boolean {
  return from.role !== 'admin' && to.role === 'admin' && actingUser(event) !== undefined;
}

/** Returns why the user cannot receive the tokens in this transfer; undefined if the user can. */
export function transferRefusal(
  from: User,
  to: User | undefined,
  event: Pick<AuditEvent, 'actor'>,
): TransferTargetNotFit | TransferRaisesRights | undefined {
  if (!canReceiveTokens(from, to)) return { code: 'transfer_target_not_fit' };
  return raisesRights(from, to, event) ? { code: 'transfer_raises_rights' } : undefined;
}

/** The user who receives tokens of another user, and which ones. */
export interface TokenTransfer {
  readonly to: UserId;
  /** These tokens, or all but these. */
  readonly tokens: { readonly only: readonly TokenId[] } | { readonly except: readonly TokenId[] };
}

/** Whether the transfer includes the token. */
export const transfers = ({ tokens }: Pick<TokenTransfer, 'tokens'>, { id }: Pick<Token, 'id'>) =>
  'only' in tokens ? tokens.only.includes(id) : !tokens.except.includes(id);

/** Returns the transfers of a user who is disabled: one for each receiver, sorted by id. */
export function transfersOf({ transferTo, tokens = new Map() }: DisableOptions): readonly TokenTransfer[] {
  const chosen = Map.groupBy(tokens, ([, to]) => to);
  const given = [...chosen].flatMap(([to, of]) =>
    to === transferTo ? [] : [{ to, tokens: { only: of.map(([id]) => id) } }],
  );
  const rest =
    transferTo === undefined
      ? []
      : [{ to: transferTo, tokens: { except: given.flatMap(({ tokens: { only } }) => only) } }];
  return [...given, ...rest].toSorted((one, other) => one.to - other.to);
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

/** Puts the renames of several transfers in one list, sorted by name. */
export const sortedRenames = (renames: readonly (readonly RenamedToken[])[]): readonly RenamedToken[] =>
  renames.flat().toSorted((one, other) => (one.before < other.before ? -1 : 1));

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
