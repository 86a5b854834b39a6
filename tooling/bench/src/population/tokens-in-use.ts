import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import { type MintedToken, mintToken, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { createUuidTokenIdGenerator } from '@gatehouse/installation';
import type { LoadRequest } from '../load/plan.ts';
import { withClient } from '../stage.ts';
import { accountOf, type DirectorySize } from './directory.ts';
import type { Store } from './store.ts';

/** A token with an organization that it may read. */
export interface TokenInUse {
  readonly id: TokenId;
  readonly userId: UserId;
  readonly request: LoadRequest;
}

export interface TokensWanted {
  readonly count: number;
  readonly format?: TokenFormat;
  /** The prefix of the tokens' names, which keeps them unique. */
  readonly prefix: string;
}

/** Signs tokens like the server, for one user after another, and stores all records at once. */
export async function createTokensInUse(
  store: Store,
  size: DirectorySize,
  { count, format = 'paseto', prefix }: TokensWanted,
): Promise<readonly TokenInUse[]> {
  const ports = await portsForMany(store, format);
  const minted: MintedToken[] = [];
  for (let index = 0; index < count; index++) {
    const id = (index % size.users) + 1;
    const token = await mintToken(ports, {
      accountId: accountOf(id, size) as AccountId,
      userId: id as UserId,
      kind: 'api',
      name: `${prefix} ${index}`,
      format,
      scopes: ['*'],
      createdAt: store.clock.now(),
      expiresAt: null,
      replaces: null,
    });
    if (!token.ok) throw new Error(token.error.code);
    minted.push(token.value);
  }
  await insertAll(store.url, minted);
  return minted.map(({ record, secret }, index) => ({
    id: record.id,
    userId: record.userId,
    request: {
      path: `/api/v1/orgs/${organizationFor(index, record.accountId, size)}`,
      headers: { authorization: `Bearer ${secret}` },
    },
  }));
}

/** Neither reads nor decrypts the key for each of a hundred thousand tokens. */
async function portsForMany(store: Store, format: TokenFormat) {
  const key = await store.signingKeys.findActive(format);
  if (!key) throw new Error(`there is no active key for ${format}`);
  const secret = await store.encryption.open(key.sealedSecret, key.id);
  return {
    signers: store.signers,
    signingKeys: { ...store.signingKeys, findActive: async () => key },
    encryption: { ...store.encryption, open: async () => secret },
    ids: createUuidTokenIdGenerator(),
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
  };
}

async function insertAll(url: string, minted: readonly MintedToken[]): Promise<void> {
  const records = minted.map(({ record }) => ({
    ...record,
    createdAt: formatInstant(record.createdAt),
  }));
  await withClient(url, (client) =>
    client.query(
      `INSERT INTO tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
       SELECT id, "accountId", "userId", "userId", kind, name, format, "keyId", '{*}', "createdAt"
       FROM json_to_recordset($1) AS t (id uuid, "accountId" bigint, "userId" bigint, kind text, name text,
                                        format text, "keyId" text, "createdAt" timestamptz)`,
      [JSON.stringify(records)],
    ),
  );
}

/** One of the account's own, another for each token of the same user. */
function organizationFor(index: number, accountId: AccountId, size: DirectorySize): number {
  const perAccount = Math.floor(size.organizations / size.accounts);
  return accountId + size.accounts * (Math.floor(index / size.users) % perAccount);
}
