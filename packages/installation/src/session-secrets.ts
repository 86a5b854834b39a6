import { createHash, randomBytes } from 'node:crypto';
import type {
  SessionFormKey,
  SessionId,
  SessionSecret,
  SessionSecretHash,
  SessionSecrets,
} from '@gatehouse/domain/sessions';
import { v7 } from 'uuid';

/** Creates SessionSecrets from the operating system's random numbers. */
export function createSessionSecrets(): SessionSecrets {
  const createSecret = () => randomBytes(32).toString('base64url') as SessionSecret;
  return {
    create: () => ({
      id: v7() as SessionId,
      secret: createSecret(),
      formKey: randomBytes(32).toString('hex') as SessionFormKey,
    }),
    createSecret,
    hashOf: (secret) => createHash('sha256').update(secret).digest('hex') as SessionSecretHash,
  };
}
