import { createHash } from 'node:crypto';
import type {
  SessionFormKey,
  SessionId,
  SessionSecret,
  SessionSecretHash,
  SessionSecrets,
} from '../src/sessions/index.ts';

/** Creates SessionSecrets for tests that always create the same ids and secrets in the same order. */
export function createFakeSessionSecrets(): SessionSecrets {
  let count = 0;
  const next = (what: string) => {
    count += 1;
    return createHash('sha256').update(`${what} ${count}`);
  };
  const createSecret = () => next('secret').digest('base64url') as SessionSecret;
  return {
    create() {
      const secret = createSecret();
      const id = `01999999-0000-7000-9000-${String(count).padStart(12, '0')}` as SessionId;
      return { id, secret, formKey: next('form key').digest('hex') as SessionFormKey };
    },
    createSecret,
    hashOf: (secret) => createHash('sha256').update(`fake ${secret}`).digest('hex') as SessionSecretHash,
  };
}
