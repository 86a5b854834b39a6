import type { Witness } from '@gatehouse/domain/signing-keys';
import type { Queries } from '../database/schema.ts';

/**
 * Whether the witness still has the same encrypted secret. Until the transaction ends, the secret cannot change: `reseal`
 * of the signing keys waits.
 */
export async function holdsWitness(tx: Queries, { id, sealedSecret }: Witness): Promise<boolean> {
  const key = await tx
    .selectFrom('signing_keys')
    .select('sealed_secret')
    .where('id', '=', id)
    .where('state', '<>', 'retired')
    .forShare()
    .executeTakeFirst();
  return key?.sealed_secret === sealedSecret;
}
