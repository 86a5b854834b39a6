import { createRequire } from 'node:module';
import {
  type Ed25519,
  PUBLIC_KEY_LENGTH,
  SEED_LENGTH,
  SIGNATURE_LENGTH,
  type VerifyEd25519,
  withLengths,
  withMatchingHalves,
} from './ed25519.ts';

/** Types for the used part of the library, which has no types. */
interface Libsodium {
  readonly crypto_sign_verify_detached: VerifyEd25519;
  /** Writes both halves; its secret key is the seed followed by the public key. */
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
}

/**
 * Ed25519 by libsodium, in half of OpenSSL's time. Undefined where the library has no build for the machine, such as
 * on Linux with musl.
 */
export function openLibsodium(): Ed25519 | undefined {
  try {
    const libsodium: Libsodium = createRequire(import.meta.url)('sodium-native');
    return { verify: withLengths(libsodium.crypto_sign_verify_detached), sign: signBy(libsodium) };
  } catch {
    return undefined;
  }
}

function signBy(libsodium: Libsodium) {
  // The buffers are used again each time, so that no copies of secret keys wait for garbage collection.
  const publicKey = Buffer.alloc(PUBLIC_KEY_LENGTH);
  const secretKey = Buffer.alloc(SEED_LENGTH + PUBLIC_KEY_LENGTH);
  return withMatchingHalves((seed) => {
    libsodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
    return {
      publicKey,
      sign(message) {
        const signature = Buffer.alloc(SIGNATURE_LENGTH);
        libsodium.crypto_sign_detached(signature, message, secretKey);
        return signature;
      },
    };
  });
}
