import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import { type MintedToken, mintToken, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type Store, unwrap } from '@gatehouse/faults/store';
import type { LoadRequest } from '../load/plan.ts';
import { withClient } from '../stage.ts';
import { accountOf, type Directory } from './directory.ts';

/** A token with an organization that it may read. */
export interface TokenInUse {
  readonly id: TokenId;
  readonly userId: UserId;
  readonly request: LoadRequest;
}

/**
 * Signs tokens like the server, for one user after another, and stores all records at once. The prefix of their names
 * keeps them unique.
 */
export async function createTokensInUse(
  directory: Directory,
  count: number,
  prefix: string,
  format: TokenFormat = 'paseto',
  scopes: readonly string[] = ['*'],
): Promise<readonly TokenInUse[]> {
  const ports = await portsForMany(directory.store, format);
  const minted: MintedToken[] = [];
  for (let index = 0; index < count; index++) {
    const id = (index % directory.users) + 1;
    const token = await mintToken(ports, {
      accountId: accountOf(id, directory) as AccountId,
      userId: id as UserId,
      kind: 'api',
      name: `${prefix} ${index}`,
      format,
      scopes: scopes as MintedToken['record']['scopes'],
      createdAt: ports.clock.now(),
      expiresAt: null,
      networks: null,
      replaces: null,
    });
    minted.push(unwrap(token));
  }
  await insertAll(directory.url, minted);
  return minted.map(({ record, secret }, index) => ({
    id: record.id,
    userId: record.userId,
    request: {
      path: `/api/v1/orgs/${organizationFor(index, record.accountId, directory)}`,
      headers: { authorization: `Bearer ${secret}` },
    },
  }));
}

/** Neither reads nor decrypts the key for each of a hundred thousand tokens. */
export async function portsForMany({ ports }: Store, format: TokenFormat) {
  const key = await ports.signingKeys.findActive(format);
  if (!key) throw new Error(`there is no active key for ${format}`);
  const secret = await ports.encryption.open(key.sealedSecret, key.id);
  return {
    ...ports,
    signingKeys: { ...ports.signingKeys, findActive: async () => key },
    encryption: { ...ports.encryption, open: async () => secret },
  };
}

/** Creates one token, and returns its request. */
export async function createRequest(
  directory: Directory,
  prefix: string,
  format?: TokenFormat,
): Promise<LoadRequest> {
  const [token] = await createTokensInUse(directory, 1, prefix, format);
  if (!token) throw new Error('there is no token');
  return token.request;
}

async function insertAll(url: string, minted: readonly MintedToken[]): Promise<void> {
  const records = minted.map(({ record }) => ({
    ...record,
    createdAt: formatInstant(record.createdAt),
  }));
  await withClient(url, (client) =>
    client.query(
      `INSERT INTO tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
       SELECT id, "accountId", "userId", "userId", kind, name, format, "keyId", scopes, "createdAt"
       FROM json_to_recordset($1) AS t (id uuid, "accountId" bigint, "userId" bigint, kind text, name text,
                                        format text, "keyId" text, scopes text[],
                                        "createdAt" timestamptz)`,
      [JSON.stringify(records)],
    ),
  );
}

/** One of the account's own, another for each token of the same user. */
function organizationFor(index: number, accountId: AccountId, directory: Directory): number {
  const { organizations, users, accounts } = directory;
  const perAccount = Math.floor(organizations / accounts);
  return accountId + accounts * (Math.floor(index / users) % perAccount);
}
