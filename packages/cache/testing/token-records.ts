import type { AccountId } from '@gatehouse/domain/accounts';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import type { Email, UserId } from '@gatehouse/domain/users';

const START = 1_767_225_600_000 as Instant;

/** The record of a good token. */
export function aTokenRecord({
  tokenId,
  userId = 1 as UserId,
  accountId = 1 as AccountId,
  keyId = 'key-1' as KeyId,
  tokenName = 'ERP',
}: {
  readonly tokenId: TokenId;
  readonly userId?: UserId;
  readonly accountId?: AccountId;
  readonly keyId?: KeyId;
  readonly tokenName?: string;
}): TokenRecord {
  return {
    id: tokenId,
    accountId,
    userId,
    subject: userId,
    kind: 'api',
    name: tokenName,
    format: 'paseto',
    keyId,
    scopes: ['*'],
    createdAt: START,
    expiresAt: null,
    revocation: null,
    replaces: null,
    replacedAt: null,
    user: {
      id: userId,
      accountId,
      email: 'ada@acme.example' as Email,
      name: 'Ada',
      role: 'admin',
      createdAt: START,
      disabledAt: null,
    },
    account: { id: accountId, name: 'Acme', createdAt: START, suspendedAt: null },
    keyState: 'active',
  };
}
