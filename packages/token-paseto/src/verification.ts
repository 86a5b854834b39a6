import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { verifyEd25519 } from '@gatehouse/ed25519';
import { type Key, PAE, PublicVerify } from 'paseto';

/** A public key in the library's form. */
interface PublicKey extends Key {
  readonly key: Uint8Array;
}

const HEADER = Buffer.from('v4.public.');

export function toPublicKey({ publicKey }: VerificationKey): PublicKey {
  return { algorithm: { name: 'Ed25519' }, extractable: true, type: 'public', key: publicKey };
}

/**
 * The library's verification (PASETO version 4, section Verify) with libsodium's Ed25519 in place of Web Crypto's, which takes
 * three times the CPU time. The event loop waits for it, as long as for the rest of such a request.
 */
export const VerifyFactory = PublicVerify<4, PublicKey>({
  version: 4,
  run: async ({ key }, message, signature, footer, implicitAssertion) =>
    verifyEd25519(signature, PAE([HEADER, message, footer, implicitAssertion]), key),
});
