import type { Instant } from '@gatehouse/domain/time';
import type { Token } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { holdsName } from './refusal-conditions.ts';

/** Whether the owner has another API token that holds this name at this time. */
export async function isNameTaken(tx: Queries, { id, userId, name }: Token, at: Instant): Promise<boolean> {
  // Uses the index tokens_api_name.
  const { rows } = await sql`
    select from tokens
    where user_id = ${userId} and name = ${name} and ${holdsName(at)} and id <> ${id} and ${onPrimary}
    limit 1`.execute(tx);
  return rows.length > 0;
}
