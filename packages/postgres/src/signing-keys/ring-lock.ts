import type { Witness } from '@gatehouse/domain/signing-keys';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/**
 * Locks the signing keys, so that only one transaction at a time can change them. Keys can still be read, and tokens
 * can still be created, because the creation of a token locks only the row of its key.
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

/**
 * Returns whether a key that was read earlier, the witness, is not retired and still has the same encrypted secret. If
 * it has, the master key was not replaced meanwhile. The caller must have called `lockRing`.
 */
export async function holds(tx: Queries, { id, sealedSecret }: Witness): Promise<boolean> {
  return (await secretsInUse(tx)).get(id) === sealedSecret;
}
