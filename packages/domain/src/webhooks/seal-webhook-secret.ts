import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { checkMasterKey } from '../signing-keys/active-key.ts';
import { untilUnchanged } from '../signing-keys/ensure-keys.ts';
import type { MasterKeyRejected } from '../signing-keys/key-encryption.ts';
import type { SealedSecret } from '../signing-keys/signing-key.ts';
import type { KeysChanged, Witness } from '../signing-keys/signing-key-repository.ts';
import { type WebhookId, webhookKeyId } from './webhook.ts';

interface Sealed {
  readonly sealedSecret: SealedSecret;
  readonly witness: Witness;
}

/**
 * Encrypts the secret of a webhook and stores it. The witness was decrypted before, so the secret is encrypted under the
 * same master key as the signing keys. If the master key is replaced meanwhile, both are done again.
 */
export function storeSealed<T, E extends { readonly code: string }>(
  ports: Ports<'signingKeys' | 'encryption'>,
  { id, secret }: { readonly id: WebhookId; readonly secret: Uint8Array },
  store: (sealed: Sealed) => Promise<Result<T, E | KeysChanged>>,
) {
  return untilUnchanged(async (): Promise<Result<T, E | KeysChanged | MasterKeyRejected | NoSigningKey>> => {
    const checked = await checkMasterKey(ports);
    if (!checked.ok) return checked;
    if (checked.value === undefined) return err<NoSigningKey>({ code: 'no_signing_key' });
    const sealedSecret = await ports.encryption.seal(secret, webhookKeyId(id));
    return store({ sealedSecret, witness: checked.value });
  });
}

/** The error if there is no signing key yet, so that nothing tells whether the master key is the right one. */
export type NoSigningKey = { readonly code: 'no_signing_key' };

/** Returns the secrets that sign a message at this time, the newest first. */
export async function openSecrets(
  { encryption }: Ports<'encryption'>,
  id: WebhookId,
  sealed: readonly SealedSecret[],
): Promise<Result<readonly Uint8Array[], MasterKeyRejected>> {
  const secrets: Uint8Array[] = [];
  for (const each of sealed) {
    const opened = await encryption.open(each, webhookKeyId(id));
    if (!opened.ok) return opened;
    secrets.push(opened.value);
  }
  return ok(secrets);
}
