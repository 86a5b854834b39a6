import type { NotAllowed } from '../../src/access/index.ts';
import { type AuditEvent, actingUser } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { KeyState } from '../../src/signing-keys/index.ts';
import type { Instant } from '../../src/time/index.ts';
import type { LifetimeNotAllowed, TokenLimitBroken } from '../../src/token-policy/index.ts';
import { lifetimeProblem, limitProblem } from '../../src/token-policy/index.ts';
import {
  isLive,
  rotationProblem,
  type SignInInsertRefusal,
  type Successor,
  type Token,
  type TokenId,
  type TokenInsertRefusal,
  type TokenRepository,
  type TokenRotationRefusal,
  takesAfter,
  updatedToken,
} from '../../src/tokens/index.ts';
import type { PasswordHash, UserId } from '../../src/users/index.ts';
import { forgetAddresses } from './forget-addresses.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { liveSignIns, signInBound } from './sign-in-bound.ts';
import type { State } from './state.ts';
import { tokenLists } from './token-lists.ts';
import { tokenPruning } from './token-pruning.ts';
import { detailsOf, successorOf, tokenReading } from './token-reading.ts';
import { giveToken } from './token-transfer.ts';

export function createInMemoryTokenRepository(state: State): TokenRepository {
  return {
    async insert(token, event, description = null) {
      const refusal =
        refuseMaker(state, token, event) ??
        refuseRules(state, token) ??
        refuseUser(state, token) ??
        refuseKey(state, token) ??
        refuseId(state, token) ??
        refuseName(state, token);
      if (refusal) return err(refusal);
      state.tokens.set(token.id, token);
      describe(state, token.id, description);
      state.events.push(event);
      return ok(undefined);
    },
    async insertSignIn(token, { verifiedHash, needsActiveKey, keep }, event) {
      const refusal =
        refuseUser(state, token) ??
        refusePassword(state, token, verifiedHash) ??
        refuseKey(state, token, needsActiveKey ? ['active'] : USABLE) ??
        refuseLifetime(state, token, token.createdAt) ??
        refuseId(state, token);
      if (refusal) return err(refusal);
      const isSurplus = liveSignIns(state, token.userId, token.createdAt).length >= keep;
      state.tokens.set(token.id, token);
      state.events.push(event);
      return ok({ isSurplus });
    },
    async rotate(successor, { by }, events) {
      const refusal =
        refuseRotator(state, successor, by) ??
        refuseRotation(state, successor) ??
        refuseLifetime(state, successor, successor.createdAt) ??
        refuseUser(state, successor) ??
        refuseKey(state, successor) ??
        refuseId(state, successor);
      if (refusal) return err(refusal);
      state.tokens.set(successor.id, successor);
      describe(state, successor.id, state.descriptions.get(successor.replaces.tokenId) ?? null);
      state.events.push(...events);
      return ok(undefined);
    },
    ...tokenReading(state),
    ...tokenLists(state),
    ...tokenPruning(state),
    forgetAddresses: forgetAddresses(state),
    ...signInBound(state),
    async revoke(id, revocation, event) {
      const token = state.tokens.get(id);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (!token) return err({ code: 'token_not_found' });
      if (token.revocation) return ok({ already: true, token: state.recordOf(token) });
      const revoked = { ...token, revocation };
      state.tokens.set(id, revoked);
      state.events.push(event);
      return ok({ already: false, token: state.recordOf(revoked) });
    },
    revokeSeveral: revokeTokens(state),
    give: giveToken(state),
    async update(id, changes, at, audit) {
      const token = state.tokens.get(id);
      if (!token) return err({ code: 'token_not_found' });
      const before = detailsOf(state, token);
      if (!state.actorMayAct(audit(before, before))) return err({ code: 'not_allowed' });
      const updated = updatedToken(before, predecessorOf(state, token), changes, at);
      if (!updated.ok) return updated;
      const after = updated.value;
      if (after === before) return ok({ before, after });
      const { name, expiresAt, description } = after;
      const refusal =
        (name === before.name ? undefined : refuseName(state, after, at)) ??
        (expiresAt === before.expiresAt ? undefined : refuseLifetime(state, after, at));
      if (refusal) return err(refusal);
      state.tokens.set(id, { ...token, name, expiresAt });
      describe(state, id, description);
      state.events.push(audit(before, after));
      return ok({ before, after });
    },
  };
}

function describe(state: State, id: TokenId, description: string | null): void {
  if (description === null) state.descriptions.delete(id);
  else state.descriptions.set(id, description);
}

/** Another user who makes the token must be an active admin. The owner is checked apart. */
function refuseMaker(
  state: State,
  { userId, accountId }: Token,
  { actor }: AuditEvent,
): NotAllowed | undefined {
  if ((actingUser({ actor }) ?? userId) === userId) return undefined;
  return state.actorMayAct({ actor, accountId }) ? undefined : { code: 'not_allowed' };
}

function refuseRules(state: State, token: Token): TokenLimitBroken | undefined {
  const { rules, holder } = state.rulesFor(token);
  return limitProblem(rules, holder, token, token.createdAt);
}

function refuseLifetime(state: State, token: Token, at: Instant): LifetimeNotAllowed | undefined {
  const { rules, holder } = state.rulesFor(token);
  return lifetimeProblem(rules, holder, token, at);
}

type Refusal<Code extends (TokenInsertRefusal | SignInInsertRefusal)['code']> =
  | { readonly code: Code }
  | undefined;

function refuseUser(
  state: State,
  { kind, userId, accountId, replaces, createdAt }: Token,
): Refusal<'creator_not_fit'> {
  const user = state.users.get(userId);
  const fit =
    user?.accountId === accountId &&
    user.disabledAt === null &&
    (user.confirmedUntil === null || createdAt < user.confirmedUntil) &&
    state.accounts.get(accountId)?.suspendedAt === null &&
    (kind === 'sign-in' || replaces !== null || user.kind === 'service' || user.role === 'admin');
  return fit ? undefined : { code: 'creator_not_fit' };
}

function refusePassword(
  state: State,
  { userId }: Token,
  verified: PasswordHash,
): Refusal<'password_changed'> {
  const user = state.users.get(userId);
  const isVerified = state.passwordHashes.get(userId) === verified;
  return isVerified && user && state.isPasswordEnough(user) ? undefined : { code: 'password_changed' };
}

const USABLE: readonly KeyState[] = ['active', 'verify-only'];

function refuseKey(state: State, { keyId, format }: Token, states = USABLE): Refusal<'key_not_usable'> {
  const key = state.keys.get(keyId);
  const usable = key?.format === format && states.includes(key.state);
  return usable ? undefined : { code: 'key_not_usable' };
}

function refuseId(state: State, { id }: Token): Refusal<'token_id_taken'> {
  return state.tokens.has(id) ? { code: 'token_id_taken' } : undefined;
}

function refuseName(state: State, token: Token, at = token.createdAt): Refusal<'token_name_taken'> {
  const taken = [...state.tokens.values()].some(
    (other) =>
      token.kind === 'api' &&
      other.id !== token.id &&
      other.kind === 'api' &&
      other.userId === token.userId &&
      other.name === token.name &&
      other.replacedAt === null &&
      isLive(other, at),
  );
  return taken ? { code: 'token_name_taken' } : undefined;
}

function refuseRotator(state: State, { accountId }: Successor, by: UserId): NotAllowed | undefined {
  const user = state.users.get(by);
  const isFit =
    user?.accountId === accountId &&
    user.kind === 'person' &&
    user.role === 'admin' &&
    user.disabledAt === null;
  return isFit ? undefined : { code: 'not_allowed' };
}

function refuseRotation(state: State, successor: Successor): TokenRotationRefusal | undefined {
  const { replaces, userId, createdAt } = successor;
  const token = state.tokens.get(replaces.tokenId);
  if (!token) return { code: 'token_not_found' };
  if (token.userId !== userId) return { code: 'creator_not_fit' };
  const predecessor = predecessorOf(state, token);
  const problem = rotationProblem({ ...token, successor: successorOf(state, token) }, predecessor, createdAt);
  if (problem) return problem;
  return takesAfter(successor, token) ? undefined : { code: 'token_changed' };
}

function predecessorOf(state: State, { replaces }: Token): Token | undefined {
  return replaces ? state.tokens.get(replaces.tokenId) : undefined;
}
