import type { Identity, LinkedIdentity } from '../../src/identity-providers/index.ts';
import type { UserId } from '../../src/users/index.ts';

export interface StoredIdentity extends LinkedIdentity {
  readonly userId: UserId;
}

export const identityKey = ({ issuer, subject }: Identity) => JSON.stringify([issuer, subject]);
