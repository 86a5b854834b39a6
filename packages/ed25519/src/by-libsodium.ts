import { createRequire } from 'node:module';
import { type VerifyEd25519, withLengths } from './ed25519.ts';

/** What is used of the library, which has no types of its own. */
interface Libsodium {
  readonly crypto_sign_verify_detached: VerifyEd25519;
}

/**
 * Verification by libsodium, in half of OpenSSL's time. Undefined where the library has no build for the machine, such as
 * on Linux with musl.
 */
export function openLibsodium(): VerifyEd25519 | undefined {
  try {
    const libsodium: Libsodium = createRequire(import.meta.url)('sodium-native');
    return withLengths(libsodium.crypto_sign_verify_detached);
  } catch {
    return undefined;
  }
}
