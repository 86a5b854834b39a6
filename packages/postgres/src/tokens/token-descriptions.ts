import type { TokenId } from '@gatehouse/domain/tokens';
import type { Queries } from '../database/schema.ts';

/** Stores the description of a token that is locked, or that this transaction inserted. Null removes it. */
export async function describeToken(tx: Queries, id: TokenId, description: string | null): Promise<void> {
  if (description === null) {
    await tx.deleteFrom('token_descriptions').where('token_id', '=', id).execute();
    return;
  }
  await tx
    .insertInto('token_descriptions')
    .values({ token_id: id, description })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ description }))
    .execute();
}
