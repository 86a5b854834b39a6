import type { AccountId } from '@gatehouse/domain/accounts';
import type { Instant } from '@gatehouse/domain/time';
import { mintToken, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { unwrap } from '@gatehouse/faults/store';
import type { LoadRequest } from '../../load/plan.ts';
import { withClient } from '../../stage.ts';
import { portsForMany } from '../tokens-in-use.ts';
import { BUSY, organizationOfBusy } from './fill-owners.ts';
import type { LargeDirectory } from './large-directory.ts';

interface Row {
  readonly id: TokenId;
  readonly account: number;
  readonly user: number;
  readonly name: string;
  readonly created: string;
  readonly expires: string | null;
}

/**
 * Signs tokens for stored records, and returns a request with each. The records are drawn from the busy accounts, whose
 * rows lie among all others.
 */
export async function requestsOfStored(
  directory: LargeDirectory,
  count: number,
): Promise<readonly LoadRequest[]> {
  const rows = await withClient(directory.url, async (client) => {
    const drawn = await client.query<Row>(
      `SELECT id, account_id::int AS account, user_id::int AS user, name,
         (extract(epoch FROM created_at) * 1000)::bigint::text AS created,
         (extract(epoch FROM expires_at) * 1000)::bigint::text AS expires
       FROM tokens WHERE account_id BETWEEN ${BUSY.first} AND ${BUSY.first + BUSY.accounts - 1} AND revoked_at IS NULL
         AND coalesce(expires_at, 'infinity') > now() + interval '1 day'
       ORDER BY random() LIMIT $1`,
      [count],
    );
    return drawn.rows;
  });
  if (rows.length < count) throw new Error(`of ${count} tokens only ${rows.length} are good`);
  const ports = await portsForMany(directory.store, 'paseto');
  const requests: LoadRequest[] = [];
  // As elsewhere: another organization for each token of the same user.
  const turns = new Map<number, number>();
  for (const { id, account, user, name, created, expires } of rows) {
    const { secret } = unwrap(
      await mintToken(ports, {
        id,
        accountId: account as AccountId,
        userId: user as UserId,
        kind: 'api',
        name,
        format: 'paseto',
        scopes: ['*'],
        createdAt: Number(created) as Instant,
        expiresAt: expires === null ? null : (Number(expires) as Instant),
        networks: null,
        replaces: null,
      }),
    );
    const turn = turns.get(user) ?? 0;
    turns.set(user, turn + 1);
    const organization = organizationOfBusy(account, turn % BUSY.organizationsEach, directory);
    requests.push({ path: `/api/v1/orgs/${organization}`, headers: { authorization: `Bearer ${secret}` } });
  }
  return requests;
}
