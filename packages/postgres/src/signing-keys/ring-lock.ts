import type { Witness } from '@gatehouse/domain/signing-keys';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/** Serializes changes of the ring. Reads continue, and so does the creation of tokens, which locks the key's row. */
export async function lockRing(tx: Queries): Promise<void> {
  await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
}

/** Returns the secrets of the keys that are not retired, by their ids. */
export async function secretsInUse(tx: Queries) {
  const rows = await tx
    .selectFrom('signing_keys')
    .select(['id', 'sealed_secret'])
    .where('state', '<>', 'retired')
    .execute();
  return new Map(rows.map((row) => [row.id, row.sealed_secret]));
}

/** Returns whether the key is not retired and its secret is still the witness. The caller holds the ring's lock. */
export async function holds(tx: Queries, { id, sealedSecret }: Witness): Promise<boolean> {
  return (await secretsInUse(tx)).get(id) === sealedSecret;
}
