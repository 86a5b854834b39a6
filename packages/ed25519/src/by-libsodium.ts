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

/** The functions of sodium-native that this package calls. The library has no types of its own. */
interface Libsodium {
  readonly crypto_sign_verify_detached: VerifyEd25519;
  /** Writes the public key, and the secret key: the seed followed by the public key. */
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
}

/**
 * Returns the Ed25519 functions of libsodium, which take half of the time of OpenSSL. Returns undefined if the library
 * has no build for this machine, such as on Linux with musl.
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
  // All signatures use the same buffers. Otherwise, copies of secret keys would stay in memory until garbage
  // collection.
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
