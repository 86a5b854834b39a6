import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/** Locks the token against every change until the transaction ends. */
export async function lockToken(tx: Queries, id: TokenId): Promise<void> {
  await sql`select from tokens where id = ${id} for no key update`.execute(tx);
}
