import { createHash } from 'node:crypto';
import type {
  CredentialHash,
  CredentialId,
  CredentialSecret,
  CredentialSecrets,
} from '../src/services/index.ts';

/** Creates CredentialSecrets for tests that always create the same ids and secrets in the same order. */
export function createFakeCredentialSecrets(): CredentialSecrets {
  let count = 0;
  return {
    create() {
      count += 1;
      const random = createHash('sha256').update(`credential ${count}`).digest('base64url');
      const id = `01999999-0000-7000-a000-${String(count).padStart(12, '0')}` as CredentialId;
      return { id, secret: `ghs_${random}` as CredentialSecret };
    },
    hashOf: (secret) => createHash('sha256').update(`fake ${secret}`).digest('hex') as CredentialHash,
  };
}
