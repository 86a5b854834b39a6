import { createHash } from 'node:crypto';
import type { SessionId, SessionSecret, SessionSecretHash, SessionSecrets } from '../src/sessions/index.ts';

/** Creates SessionSecrets for tests that always create the same ids and secrets in the same order. */
export function createFakeSessionSecrets(): SessionSecrets {
  let count = 0;
  return {
    create() {
      count += 1;
      const id = `01999999-0000-7000-9000-${String(count).padStart(12, '0')}` as SessionId;
      const secret = createHash('sha256').update(`secret ${count}`).digest('base64url') as SessionSecret;
      return { id, secret };
    },
    hashOf: (secret) => createHash('sha256').update(`fake ${secret}`).digest('hex') as SessionSecretHash,
  };
}
