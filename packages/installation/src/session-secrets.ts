import { createHash, randomBytes } from 'node:crypto';
import type { SessionId, SessionSecret, SessionSecretHash, SessionSecrets } from '@gatehouse/domain/sessions';
import { v7 } from 'uuid';

/** Creates SessionSecrets from the operating system's random numbers. */
export function createSessionSecrets(): SessionSecrets {
  return {
    create: () => ({
      id: v7() as SessionId,
      secret: randomBytes(32).toString('base64url') as SessionSecret,
    }),
    hashOf: (secret) => createHash('sha256').update(secret).digest('hex') as SessionSecretHash,
  };
}
