import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { tokenTransferred } from '@gatehouse/domain/tokens';
import {
  type RenamedToken,
  renamesForTransfer,
  type TokenTransfer,
  type UserId,
} from '@gatehouse/domain/users';
import { type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import type { Condition } from '../database/statements/conditions.ts';
import { holdsName, isLiveAt } from './refusal-conditions.ts';
import { lockedBatches } from './token-batches.ts';

interface Transfer extends TokenTransfer {
  readonly from: UserId;
}

/** Whether the transfer includes the row of `tokens`. */
const isMoving = ({ tokens }: Transfer): Condition =>
  'only' in tokens ? sql`id = any(${tokens.only}::uuid[])` : sql`id <> all(${tokens.except}::uuid[])`;

/**
 * Makes another user the owner of live API tokens of a user, and returns their number. The caller must have locked both
 * users and the account, so that no token is created meanwhile.
 */
export async function transferTokens(
  tx: Queries,
  transfer: Transfer,
  renamed: readonly RenamedToken[],
  { actor, origin, at }: AuditEvent,
): Promise<number> {
  const { from, to } = transfer;
  const names = new Map(renamed.map(({ before, after }) => [before, after]));
  let transferred = 0;
  // Uses the index tokens_live_of_user.
  const condition = sql<SqlBool>`user_id = ${from} and kind = 'api' and ${isLiveAt(at)} and ${isMoving(transfer)}`;
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
export async function renamesOf(tx: Queries, transfer: Transfer, at: Instant) {
  const { from, to } = transfer;
  // Uses the index tokens_api_name.
  const { rows } = await sql<{ readonly user_id: UserId; readonly name: string }>`
    select user_id, name from tokens
    where (user_id = ${to} or (user_id = ${from} and ${isMoving(transfer)})) and ${holdsName(at)}`.execute(
    tx,
  );
  const namesOf = (id: UserId) => rows.filter(({ user_id }) => user_id === id).map(({ name }) => name);
  return renamesForTransfer(namesOf(from), namesOf(to));
}
