import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import { checkMasterKey } from '../../signing-keys/active-key.ts';
import { untilUnchanged } from '../../signing-keys/ensure-keys.ts';
import type { KeyEncryption, MasterKeyRejected } from '../../signing-keys/key-encryption.ts';
import type { KeyId } from '../../signing-keys/signing-key.ts';
import type { Sealing } from './make-seal.ts';

/**
 * The beginning of the id of each seal key. A stored secret can be decrypted only together with its own id, and ids of
 * signing keys begin differently. So a signing key cannot be stored as the seal key.
 */
const ID_PREFIX = 'audit-seals-';

/** The log has never been sealed, or the stored seal key is invalid. */
type NotSealed = { readonly code: 'audit_not_sealed' };

export type SealKeyPorts = Ports<'auditSeals' | 'sealCryptography' | 'encryption'>;

/** The last seal key that each `KeyEncryption` decrypted. */
const opened = new WeakMap<KeyEncryption, { readonly id: KeyId; readonly secret: Uint8Array }>();

/**
 * Reads the seal key and decrypts it. The secret of a seal key never changes. So a process decrypts it only once, and
 * can make seals even after the master key was replaced.
 */
export async function openSealKey(
  ports: SealKeyPorts,
): Promise<Result<Sealing, NotSealed | MasterKeyRejected>> {
  const { auditSeals, sealCryptography: cryptography, encryption } = ports;
  const key = await auditSeals.findKey();
  if (!key?.id.startsWith(ID_PREFIX)) return err({ code: 'audit_not_sealed' });
  const known = opened.get(encryption);
  if (known?.id === key.id) return ok({ cryptography, secret: known.secret });
  const secret = await encryption.open(key.sealedSecret, key.id);
  if (!secret.ok) return secret;
  opened.set(encryption, { id: key.id, secret: secret.value });
  return ok({ cryptography, secret: secret.value });
}

export type CreateSealKeyPorts = SealKeyPorts & Ports<'signingKeys'>;

/**
 * Creates the seal key unless there is one. The seal key is encrypted under the master key of the signing keys, and a
 * signing key must exist.
 */
export function createSealKey(ports: CreateSealKeyPorts): Promise<Result<void, MasterKeyRejected>> {
  return untilUnchanged(async () => {
    const { auditSeals, sealCryptography, encryption } = ports;
    const checked = await checkMasterKey(ports);
    if (!checked.ok) return checked;
    if (checked.value === undefined) throw new Error('there is no signing key');
    const name = sealCryptography.hash(String(sealCryptography.createSecret()));
    const id = `${ID_PREFIX}${name.slice(0, 16)}` as KeyId;
    const sealedSecret = await encryption.seal(sealCryptography.createSecret(), id);
    return auditSeals.insertKey({ id, sealedSecret }, checked.value);
  });
}
