import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { tokenTransferred } from '@gatehouse/domain/tokens';
import { type RenamedToken, renamesForTransfer, type UserId } from '@gatehouse/domain/users';
import { type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { holdsName, isLiveAt } from './refusal-conditions.ts';
import { lockedBatches } from './token-batches.ts';

type Transfer = { readonly from: UserId; readonly to: UserId };

/**
 * Makes another user the owner of a user's live API tokens, and returns their number. The caller must have locked both
 * users and the account, so that no token is created meanwhile.
 */
export async function transferTokens(
  tx: Queries,
  { from, to }: Transfer,
  renamed: readonly RenamedToken[],
  { actor, origin, at }: AuditEvent,
): Promise<number> {
  const names = new Map(renamed.map(({ before, after }) => [before, after]));
  let transferred = 0;
  // Uses the index tokens_live_of_user.
  const condition = sql<SqlBool>`user_id = ${from} and kind = 'api' and ${isLiveAt(at)}`;
  for await (const tokens of lockedBatches(tx, condition)) {
    transferred += tokens.length;
    const moved = tokens.map((token) => ({ token, name: names.get(token.name) ?? token.name }));
    await sql`
      update tokens set user_id = ${to}, name = moved.name
      from unnest(
        ${moved.map(({ token }) => token.id)}::uuid[], ${moved.map(({ name }) => name)}::text[]
      ) as moved (id, name)
      where tokens.id = moved.id`.execute(tx);
    await insertAuditEvents(
      tx,
      moved.map(({ token, name }) => ({ ...tokenTransferred(token, { at, to, name }), actor, origin })),
    );
  }
  return transferred;
}

/** Returns the names that must change in a transfer, because the other user has a token of the same name. */
export async function renamesOf(tx: Queries, { from, to }: Transfer, at: Instant) {
  // Uses the index tokens_api_name.
  const { rows } = await sql<{ readonly user_id: UserId; readonly name: string }>`
    select user_id, name from tokens where user_id in (${from}, ${to}) and ${holdsName(at)}`.execute(tx);
  const namesOf = (id: UserId) => rows.filter(({ user_id }) => user_id === id).map(({ name }) => name);
  return renamesForTransfer(namesOf(from), namesOf(to));
}
