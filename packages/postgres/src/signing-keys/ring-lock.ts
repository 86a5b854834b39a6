import type { Witness } from '@gatehouse/domain/signing-keys';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/**
 * Lets one transaction at a time change signing keys. Reads go on, and so does the creation of tokens, which locks one
 * key's row.
 */
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

/** Returns whether the witness's key is not retired and still has the witness's secret. The caller holds the ring's lock. */
export async function holds(tx: Queries, { id, sealedSecret }: Witness): Promise<boolean> {
  return (await secretsInUse(tx)).get(id) === sealedSecret;
}
