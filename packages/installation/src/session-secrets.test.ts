import type { SessionSecret } from '@gatehouse/domain/sessions';
import { sessionSecretsContract } from '@gatehouse/domain/testing/contracts';
import { expect, test } from 'vitest';
import { createSessionSecrets } from './session-secrets.ts';

sessionSecretsContract('SHA-256', createSessionSecrets);

test('the hash is the SHA-256 of the secret’s text, as FIPS 180-4 gives it for “abc”', () => {
  expect(createSessionSecrets().hashOf('abc' as SessionSecret)).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
