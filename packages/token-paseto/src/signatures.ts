import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { signEd25519, verifyEd25519 } from '@gatehouse/ed25519';
import { type Key, PAE, PublicSign, PublicVerify } from 'paseto';

/** A secret key in the form that the library `paseto` expects. */
interface SecretKey extends Key {
  readonly pair: KeyPair;
}

const HEADER = Buffer.from('v4.public.');

export function toSecretKey(pair: KeyPair): SecretKey {
  return { algorithm: { name: 'Ed25519' }, extractable: true, type: 'private', pair };
}

/**
 * The signing of the library `paseto` (PASETO version 4, section Sign) with the Ed25519 of libsodium. Web Crypto would
 * import the key three times for each token, and take ten times the CPU time.
 */
export const SignFactory = PublicSign<4, SecretKey>({
  version: 4,
  run: async ({ pair }, message, footer, implicitAssertion) =>
    signEd25519(PAE([HEADER, message, footer, implicitAssertion]), pair),
});

/** A public key in the form that the library `paseto` expects. */
interface PublicKey extends Key {
  readonly key: Uint8Array;
}

export function toPublicKey({ publicKey }: VerificationKey): PublicKey {
  return { algorithm: { name: 'Ed25519' }, extractable: true, type: 'public', key: publicKey };
}

/**
 * The verification of the library `paseto` (PASETO version 4, section Verify) with the Ed25519 of libsodium. The
 * Ed25519 of Web Crypto takes three times the CPU time. The event loop waits during the verification, about as long as
 * during the rest of the request.
 */
export const VerifyFactory = PublicVerify<4, PublicKey>({
  version: 4,
  run: async ({ key }, message, signature, footer, implicitAssertion) =>
    verifyEd25519(signature, PAE([HEADER, message, footer, implicitAssertion]), key),
});
