import type { AccountId } from '@gatehouse/domain/accounts';
import type { Instant } from '@gatehouse/domain/time';
import { mintToken, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { unwrap } from '@gatehouse/faults/store';
import type { LoadRequest } from '../../load/plan.ts';
import { withClient } from '../../stage.ts';
import { portsForMany } from '../tokens-in-use.ts';
import type { LargeDirectory } from './large-directory.ts';

interface Row {
  readonly id: TokenId;
  readonly account: number;
  readonly user: number;
  readonly name: string;
  readonly created: string;
  readonly expires: string | null;
}

/** Signs tokens for records that are stored, drawn from all that are good, and returns a request of each. */
export async function requestsOfStored(
  directory: LargeDirectory,
  count: number,
): Promise<readonly LoadRequest[]> {
  const rows = await withClient(directory.url, async (client) => {
    // Three of a hundred have ended; twice as many as needed are drawn before these are left out.
    const share = Math.min(100, (200 * count) / directory.size.tokens);
    const drawn = await client.query<Row>(
      `SELECT id, account_id::int AS account, user_id::int AS user, name,
         (extract(epoch FROM created_at) * 1000)::bigint::text AS created,
         (extract(epoch FROM expires_at) * 1000)::bigint::text AS expires
       FROM (SELECT * FROM tokens TABLESAMPLE BERNOULLI (${share})) AS drawn
       WHERE revoked_at IS NULL AND coalesce(expires_at, 'infinity') > now() + interval '1 day'
       ORDER BY random() LIMIT $1`,
      [count],
    );
    return drawn.rows;
  });
  if (rows.length < count) throw new Error(`of ${count} tokens only ${rows.length} are good`);
  const ports = await portsForMany(directory.store, 'paseto');
  const requests: LoadRequest[] = [];
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
        replaces: null,
      }),
    );
    // The first organization of the account, which are assigned in turn.
    requests.push({ path: `/api/v1/orgs/${account}`, headers: { authorization: `Bearer ${secret}` } });
  }
  return requests;
}
