import type { CreatedCredential, CredentialWithUse, ServiceCredential } from '@gatehouse/domain/services';
import type { View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { documentOf } from './document.ts';
import { ageOrDate, timeAgo, timeColumn } from './time.ts';

export const credentialView: View<CredentialWithUse> = {
  document: (credential) =>
    documentOf(credential, 'id', 'state', 'createdAt', 'expiresAt', 'revokedAt', 'replacedBy', 'lastUsedAt'),
  empty: 'The service has no credentials yet. Create one with `gatehouse service credential create SERVICE`.',
  columns: [
    { title: 'ID', value: ({ id }) => id, essential: true },
    stateColumn(({ state }) => state),
    {
      title: 'LAST USED',
      value: ({ lastUsedAt, at }) => timeAgo(lastUsedAt, at),
      brief: ({ lastUsedAt, at }) => ageOrDate(lastUsedAt, at),
      essential: true,
    },
    { ...timeColumn('EXPIRES', ({ expiresAt }) => expiresAt, 'never'), essential: true },
    timeColumn('CREATED', ({ createdAt }) => createdAt),
    timeColumn('REVOKED', ({ revokedAt }) => revokedAt),
    { title: 'REPLACED BY', value: ({ replacedBy }) => replacedBy ?? '-' },
  ],
};

/** A new credential, and the one that it replaces after a rotation. */
export interface HandedCredential extends CreatedCredential {
  readonly replaced?: ServiceCredential | null;
}

/** Returns the JSON document of a new credential, without its secret. */
export const handedCredentialDocument = ({ service, credential, replaced }: HandedCredential) => ({
  service,
  ...documentOf(credential, 'id', 'createdAt', 'expiresAt'),
  replaces: replaced ? documentOf(replaced, 'id', 'expiresAt') : null,
});

/** Returns the beginning of a sentence about a credential: its id and its last use. */
export function usedCredential({ id, lastUsedAt, at }: CredentialWithUse): string {
  return lastUsedAt === null
    ? `The credential ${id} was never used`
    : `The credential ${id} was last used ${timeAgo(lastUsedAt, at)}`;
}
