import { createHash, createHmac } from 'node:crypto';
import type {
  AttemptHash,
  AttemptSecret,
  AttemptSecrets,
  AttemptState,
} from '../src/identity-providers/index.ts';

/** Creates AttemptSecrets for tests that always create the same secrets in the same order. */
export function createFakeAttemptSecrets(): AttemptSecrets {
  let count = 0;
  const next = (kind: string) => {
    count += 1;
    return createHash('sha256').update(`attempt ${kind} ${count}`).digest('base64url');
  };
  return {
    createSecret: () => next('secret') as AttemptSecret,
    createState: () => next('state') as AttemptState,
    hashOf: (value) => createHash('sha256').update(`fake ${value}`).digest('hex') as AttemptHash,
    derive(secret, state) {
      const derived = (name: string) =>
        createHmac('sha256', `fake ${secret}`).update(`${name}:${state}`).digest('base64url');
      return { nonce: derived('nonce'), codeVerifier: derived('pkce') };
    },
  };
}
