import {
  err,
  ok,
  type PasswordHash,
  type Token,
  type TokenInsertRefusal,
  type TokenRepository,
} from '../../src/index.ts';
import type { State } from './state.ts';
import { tokenReading } from './token-reading.ts';

export function createInMemoryTokenRepository(state: State): TokenRepository {
  return {
    async insert(token, { verifiedHash }, event) {
      const refusal = refuseInsert(state, token, verifiedHash);
      if (refusal) return err(refusal);
      state.tokens.set(token.id, token);
      state.events.push(event);
      return ok(undefined);
    },
    ...tokenReading(state),
    async revoke(id, revocation, event) {
      const token = state.tokens.get(id);
      if (!token) return err({ code: 'token_not_found' });
      if (token.revocation) return ok({ already: true, grant: state.grantOf(token) });
      const revoked = { ...token, revocation };
      state.tokens.set(id, revoked);
      state.events.push(event);
      return ok({ already: false, grant: state.grantOf(revoked) });
    },
  };
}

function refuseInsert(
  state: State,
  token: Token,
  verifiedHash: PasswordHash | undefined,
): TokenInsertRefusal | undefined {
  const user = state.users.get(token.userId);
  const account = state.accounts.get(token.accountId);
  const key = state.keys.get(token.keyId);
  const fit =
    user?.accountId === token.accountId &&
    user.disabledAt === null &&
    account?.suspendedAt === null &&
    (token.kind === 'sign-in' || user.role === 'admin');
  if (!fit) return { code: 'creator_not_fit' };
  if (token.kind === 'sign-in' && state.passwordHashes.get(token.userId) !== verifiedHash) {
    return { code: 'password_changed' };
  }
  if (key?.format !== token.format || (key.state !== 'active' && key.state !== 'verify-only')) {
    return { code: 'key_not_usable' };
  }
  return nameIsTaken(state, token) ? { code: 'token_name_taken' } : undefined;
}

function nameIsTaken(state: State, token: Token): boolean {
  if (token.kind !== 'api') return false;
  return [...state.tokens.values()].some(
    (other) =>
      other.kind === 'api' &&
      other.userId === token.userId &&
      other.name === token.name &&
      other.revocation === null &&
      (other.expiresAt === null || other.expiresAt > token.createdAt),
  );
}
