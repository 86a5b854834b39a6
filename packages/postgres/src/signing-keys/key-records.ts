import type { SigningKey } from '@gatehouse/domain/signing-keys';
import { selected } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';

/** The columns that `toSigningKey` reads. */
export const signingKeyColumns = selected(
  'id',
  'format',
  'state',
  'publicKey',
  'sealedSecret',
  'createdAt',
  'activatedAt',
  'retiredAt',
);

/** Selects signing keys. */
export function selectKeys(db: Queries) {
  return db.selectFrom('signing_keys').select(signingKeyColumns);
}

/** Makes a signing key of its row. */
export function toSigningKey(row: SigningKey): SigningKey {
  // The public key is copied, because the buffers of pg are views of a larger chunk of received data.
  return Object.freeze({ ...row, publicKey: new Uint8Array(row.publicKey) });
}
