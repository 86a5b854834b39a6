import { randomUUID } from 'node:crypto';
import type { Scope } from '@gatehouse/domain/access';
import type { TokenFormat, TokenId } from '@gatehouse/domain/tokens';
import { OPERATOR, type Store, unwrap } from './store.ts';

export interface IssuedToken {
  readonly id: TokenId;
  readonly secret: string;
  /** In milliseconds since 1970; infinite for a token that does not expire. */
  readonly expiresAt: number;
}

export interface TokenParts {
  readonly scopes?: readonly Scope[];
  readonly format?: TokenFormat;
  /** In milliseconds. Default: it does not expire. */
  readonly lifetimeMs?: number;
}

/** An admin who creates and revokes tokens like the commands, without a process for each. */
export interface Admin {
  issue(parts?: TokenParts): Promise<IssuedToken>;
  revoke(token: Pick<IssuedToken, 'id'>): Promise<void>;
}

export async function adminOf(store: Store, email: string): Promise<Admin> {
  const admin = unwrap(await store.actAs(email, OPERATOR));
  return {
    async issue({ scopes = ['*'], format = 'paseto', lifetimeMs }: TokenParts = {}) {
      const expiry = lifetimeMs === undefined ? 'never' : { in: lifetimeMs };
      const issued = await store.issueToken(admin, { name: randomUUID(), format, scopes, expiry });
      const { secret, record } = unwrap(issued);
      return { id: record.id, secret, expiresAt: record.expiresAt ?? Number.POSITIVE_INFINITY };
    },
    revoke: async ({ id }) => void unwrap(await store.revokeToken(admin, { id, reason: null })),
  };
}
