import type { AttemptSecret, AttemptState } from '@gatehouse/domain/identity-providers';
import type { CredentialSecret } from '@gatehouse/domain/services';
import type { SessionSecret } from '@gatehouse/domain/sessions';
import {
  attemptSecretsContract,
  credentialSecretsContract,
  linkCodesContract,
  sessionSecretsContract,
  tokenIdGeneratorContract,
} from '@gatehouse/domain/testing/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createAttemptSecrets,
  createCredentialSecrets,
  createLinkCodes,
  createMonotonicClock,
  createSessionSecrets,
  createSystemClock,
  createUuidTokenIdGenerator,
} from './system-ports.ts';

sessionSecretsContract('SHA-256', createSessionSecrets);
credentialSecretsContract('SHA-256', createCredentialSecrets);
linkCodesContract('SHA-256', createLinkCodes);
attemptSecretsContract('HMAC-SHA-256', createAttemptSecrets);

test('a code verifier is the HMAC-SHA-256 that another program computes', () => {
  const secret = Buffer.alloc(32, 1).toString('base64url') as AttemptSecret;
  // printf 'pkce:state' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101…01 -binary | basenc --base64url
  expect(createAttemptSecrets().derive(secret, 'state' as AttemptState).codeVerifier).toBe(
    'rbCIOdd2KRWfRPw7NUiM8eIp2D-xe4Qgsj4cnDSJcuE',
  );
});

test('each hash is the SHA-256 of the secret’s text, as FIPS 180-4 gives it for “abc”', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(createSessionSecrets().hashOf('abc' as SessionSecret)).toBe(digest);
  expect(createAttemptSecrets().hashOf('abc' as AttemptSecret)).toBe(digest);
  expect(createCredentialSecrets().hashOf('abc' as CredentialSecret)).toBe(digest);
});

afterEach(() => void vi.useRealTimers());

test('the system clock follows the machine’s time, backwards too; the monotonic clock does not', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_123 });
  const [system, monotonic] = [createSystemClock(), createMonotonicClock()];
  expect(system.now()).toBe(1_790_000_000_123);
  const before = monotonic.elapsedMs();
  vi.setSystemTime(4_000);
  expect(system.now()).toBe(4_000);
  const passed = monotonic.elapsedMs() - before;
  expect([passed >= 0, passed < 3_600_000]).toEqual([true, true]);
});

tokenIdGeneratorContract('uuid', createUuidTokenIdGenerator);

test('UUIDs begin with the time in milliseconds, which never decreases', () => {
  vi.useFakeTimers({ now: 4_000_000_000_000 });
  const first = createUuidTokenIdGenerator().next();
  expect(first.replace('-', '').slice(0, 12)).toBe((4_000_000_000_000).toString(16).padStart(12, '0'));
  vi.setSystemTime(1_000);
  expect(createUuidTokenIdGenerator().next() > first).toBe(true);
});
