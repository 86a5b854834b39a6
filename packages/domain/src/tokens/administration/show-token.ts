import { authorize, authorized, type Operator, type Principal, READ_TOKENS } from '../../access/index.ts';
import { type ToldEntry, toldTo } from '../../audit/list-audit-events.ts';
import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import type { Email } from '../../users/email.ts';
import { rotationProblem, type TokenNotRotatable } from '../rotation/rotation.ts';
import type { Token, TokenId } from '../token.ts';
import type { TokenNotFound } from '../token-repository.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { findReferenced } from './find-token-by-reference.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** A token with its predecessor and its replacement. */
export interface TokenWithRotation extends TokenStatus {
  /** The token that this token replaces; null if there is none. */
  readonly predecessor: TokenStatus | null;
  /** The token that replaces this token; null if there is none. */
  readonly replacement: TokenStatus | null;
  /** Whether the token breaks the rules of its account or of the operator. */
  readonly isOverPolicy: boolean;
}

/**
 * Finds a token with its predecessor and its replacement, in one read of the database. A token that the caller may not
 * read is not found.
 */
export async function findTokenWithRotation(
  { tokens, clock }: Ports<'tokens' | 'clock'>,
  caller: Principal | Operator,
  id: TokenId,
): Promise<Result<TokenWithRotation, TokenNotFound>> {
  const now = clock.now();
  const found = await tokens.findWithRotation(id, now);
  const token = found.find((each) => each.id === id);
  if (!token || !authorize(caller, READ_TOKENS, token).ok) return err({ code: 'token_not_found' });
  const statusOf = (other: TokenId | null | undefined) => {
    const details = found.find((each) => each.id === other);
    return details ? tokenStatus(details, now) : null;
  };
  return ok({
    ...tokenStatus(token, now),
    isOverPolicy: token.isOverPolicy,
    predecessor: statusOf(token.replaces?.tokenId),
    replacement: statusOf(token.successor),
  });
}

/**
 * A token with the addresses of its requests, and its audit events, oldest first. Facts that the caller may not see are
 * left out of the events.
 */
export interface TokenWithHistory extends TokenStatus {
  readonly usage: TokenUsageWithAddresses;
  readonly history: readonly ToldEntry[];
  /**
   * How long the token is accepted after its successor's first use, in milliseconds; null if the token has no
   * successor.
   */
  readonly graceMs: number | null;
}

const MAX_EVENTS = 1000;

/** Shows the token with this id or name. `findTokenByReference` describes how a name is looked up. */
export const showToken = authorized(
  READ_TOKENS,
  ({ tokens, audit, clock }: Ports<'tokens' | 'audit' | 'clock'>) =>
    async (caller, reference: string) => {
      const now = clock.now();
      const found = await findReferenced(tokens, caller, reference, now);
      if (!found.ok) return found;
      const { id, successor } = found.value;
      const subject = { type: 'token', id } as const;
      const [history, replacement, usage] = await Promise.all([
        audit.list({ subject, limit: MAX_EVENTS }),
        successor === null ? undefined : tokens.findRecord(successor),
        tokens.findUsage(id),
      ]);
      return ok({
        ...tokenStatus(found.value, now),
        usage,
        history: history.toReversed().map((event) => toldTo(caller, event)),
        graceMs: replacement?.replaces?.graceMs ?? null,
      });
    },
);

/** A token with everything that its web page shows. Facts that the caller may not see are left out. */
export interface TokenPage extends TokenWithRotation {
  readonly usage: TokenUsageWithAddresses;
  /** The newest audit events of the token, newest first. */
  readonly history: readonly ToldEntry[];
  /** Whether the token has older events than those in `history`. */
  readonly hasOlderEvents: boolean;
}

/**
 * Shows one token with its predecessor, its replacement and its newest events, in three reads of the database.
 * Another account's token is not found.
 */
export const showTokenPage = authorized(
  READ_TOKENS,
  ({ tokens, audit, clock }: Ports<'tokens' | 'audit' | 'clock'>) =>
    async (caller, { id, events }: { readonly id: TokenId; readonly events: number }) => {
      const found = await findTokenWithRotation({ tokens, clock }, caller, id);
      if (!found.ok) return found;
      const [usage, history] = await Promise.all([
        tokens.findUsage(id),
        audit.list({ subject: { type: 'token', id }, limit: events + 1 }),
      ]);
      return ok<TokenPage>({
        ...found.value,
        usage,
        history: history.slice(0, events).map((entry) => toldTo(caller, entry)),
        hasOlderEvents: history.length > events,
      });
    },
);

/**
 * The user or operator that revoked a token. The name of an operator is left out, because the token's account may not
 * see it.
 */
export type Revoker =
  /** `for` is the email of the user for whom the operator acted. */
  { readonly kind: 'operator'; readonly for?: Email } | { readonly kind: 'user'; readonly email: Email };

/** A token with the facts that a user needs before revoking or rotating it, such as the addresses that use it. */
export interface TokenInUse extends TokenWithRotation {
  readonly usage: TokenUsageWithAddresses;
  /** The user or operator that revoked the token; null if it was not revoked. */
  readonly revokedBy: Revoker | null;
  /** The reason why the token cannot be rotated now; null if it can be. */
  readonly obstacle: TokenNotRotatable | null;
}

/**
 * Shows one token with its usage, but without its history, in at most three reads of the database. Another account's
 * token is not found.
 */
export const showTokenUse = authorized(
  READ_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller, id: TokenId) => {
      const found = await findTokenWithRotation({ tokens, clock }, caller, id);
      if (!found.ok) return found;
      const token = found.value;
      const [usage, revokedBy] = await Promise.all([tokens.findUsage(id), revokerOf(users, token)]);
      const obstacle = rotationProblem(token, token.predecessor ?? undefined, token.at) ?? null;
      return ok<TokenInUse>({ ...token, usage, revokedBy, obstacle });
    },
);

async function revokerOf(users: Ports<'users'>['users'], { revocation }: Token): Promise<Revoker | null> {
  if (revocation === null) return null;
  const { by } = revocation;
  const id = by.kind === 'user' ? by.id : by.kind === 'operator' ? by.for : undefined;
  const user = id && (await users.findById(id));
  if (by.kind !== 'user') return { kind: 'operator', ...(user && { for: user.email }) };
  return user ? { kind: 'user', email: user.email } : null;
}
