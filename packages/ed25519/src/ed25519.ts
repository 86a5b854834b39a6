/** The length of a public key, in bytes. */
export const PUBLIC_KEY_LENGTH = 32;

/** The length of a signature, in bytes. */
export const SIGNATURE_LENGTH = 64;

/**
 * Returns whether the signature of a message is that of a public key (RFC 8032 section 5.1.7). A signature of another length
 * is none.
 *
 * @throws RangeError if the public key is not of `PUBLIC_KEY_LENGTH`
 */
export type VerifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

/** Checks the lengths, so that the verification itself need not. */
export function withLengths(verify: VerifyEd25519): VerifyEd25519 {
  return (signature, message, publicKey) => {
    if (publicKey.length !== PUBLIC_KEY_LENGTH) {
      throw new RangeError(`an Ed25519 public key has ${PUBLIC_KEY_LENGTH} bytes, not ${publicKey.length}`);
    }
    return signature.length === SIGNATURE_LENGTH && verify(signature, message, publicKey);
  };
}
