import { err, ok } from '../../src/index.ts';
import {
  isLive,
  rotationProblem,
  type Successor,
  type Token,
  type TokenInsertRefusal,
  type TokenRepository,
  type TokenRotationRefusal,
} from '../../src/tokens/index.ts';
import type { PasswordHash } from '../../src/users/index.ts';
import { signInBound } from './sign-in-bound.ts';
import type { State } from './state.ts';
import { tokenPruning } from './token-pruning.ts';
import { successorOf, tokenReading } from './token-reading.ts';

export function createInMemoryTokenRepository(state: State): TokenRepository {
  return {
    async insert(token, { verifiedHash }, event) {
      const refusal =
        refuseUser(state, token) ??
        refusePassword(state, token, verifiedHash) ??
        refuseKey(state, token) ??
        refuseName(state, token);
      if (refusal) return err(refusal);
      state.tokens.set(token.id, token);
      state.events.push(event);
      return ok(undefined);
    },
    async rotate(successor, events) {
      const refusal =
        refuseRotation(state, successor) ?? refuseUser(state, successor) ?? refuseKey(state, successor);
      if (refusal) return err(refusal);
      state.tokens.set(successor.id, successor);
      state.events.push(...events);
      return ok(undefined);
    },
    ...tokenReading(state),
    ...tokenPruning(state),
    ...signInBound(state),
    async revoke(id, revocation, event) {
      const token = state.tokens.get(id);
      if (!token) return err({ code: 'token_not_found' });
      if (token.revocation) return ok({ already: true, token: state.recordOf(token) });
      const revoked = { ...token, revocation };
      state.tokens.set(id, revoked);
      state.events.push(event);
      return ok({ already: false, token: state.recordOf(revoked) });
    },
  };
}

type Refusal<Code extends TokenInsertRefusal['code']> = { readonly code: Code } | undefined;

function refuseUser(state: State, { kind, userId, accountId, replaces }: Token): Refusal<'creator_not_fit'> {
  const user = state.users.get(userId);
  const fit =
    user?.accountId === accountId &&
    user.disabledAt === null &&
    state.accounts.get(accountId)?.suspendedAt === null &&
    (kind === 'sign-in' || replaces !== null || user.role === 'admin');
  return fit ? undefined : { code: 'creator_not_fit' };
}

function refusePassword(
  state: State,
  { kind, userId }: Token,
  verified: PasswordHash | undefined,
): Refusal<'password_changed'> {
  const stands = kind !== 'sign-in' || state.passwordHashes.get(userId) === verified;
  return stands ? undefined : { code: 'password_changed' };
}

function refuseKey(state: State, { keyId, format }: Token): Refusal<'key_not_usable'> {
  const key = state.keys.get(keyId);
  const usable = key?.format === format && (key.state === 'active' || key.state === 'verify-only');
  return usable ? undefined : { code: 'key_not_usable' };
}

function refuseName(state: State, token: Token): Refusal<'token_name_taken'> {
  const taken = [...state.tokens.values()].some(
    (other) =>
      token.kind === 'api' &&
      other.kind === 'api' &&
      other.userId === token.userId &&
      other.name === token.name &&
      other.replacedAt === null &&
      isLive(other, token.createdAt),
  );
  return taken ? { code: 'token_name_taken' } : undefined;
}

function refuseRotation(
  state: State,
  { replaces, userId, createdAt }: Successor,
): TokenRotationRefusal | undefined {
  const token = state.tokens.get(replaces.tokenId);
  if (!token) return { code: 'token_not_found' };
  if (token.userId !== userId) return { code: 'creator_not_fit' };
  const predecessor = token.replaces ? state.tokens.get(token.replaces.tokenId) : undefined;
  return rotationProblem({ ...token, successor: successorOf(state, token) }, predecessor, createdAt);
}
