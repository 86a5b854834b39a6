/** The length of a public key, in bytes. */
export const PUBLIC_KEY_LENGTH = 32;

/** The length of a secret key, in bytes: the seed (RFC 8032 section 5.1.5). */
export const SEED_LENGTH = 32;

/** The length of a signature, in bytes. */
export const SIGNATURE_LENGTH = 64;

/**
 * Returns whether the signature of a message was made with the secret key of this public key (RFC 8032 section 5.1.7).
 * Returns false for a signature of another length.
 *
 * @throws RangeError if the length of the public key is not `PUBLIC_KEY_LENGTH`
 */
export type VerifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

/** A private key and its public key. */
export interface Ed25519KeyPair {
  readonly publicKey: Uint8Array;
  /** The seed. */
  readonly secretKey: Uint8Array;
}

/**
 * Returns the signature of a message (RFC 8032 section 5.1.6).
 *
 * @throws RangeError if the length of the secret key is not `SEED_LENGTH`, or if the public key does not belong to the
 * secret key
 */
export type SignEd25519 = (message: Uint8Array, key: Ed25519KeyPair) => Uint8Array;

/** The functions that each library provides: libsodium, and the OpenSSL of Node. */
export interface Ed25519 {
  readonly verify: VerifyEd25519;
  readonly sign: SignEd25519;
}

/**
 * Returns a function that checks the lengths of the public key and the signature before it calls `verify`, which does
 * not check them.
 */
export function withLengths(verify: VerifyEd25519): VerifyEd25519 {
  return (signature, message, publicKey) => {
    if (publicKey.length !== PUBLIC_KEY_LENGTH) {
      throw new RangeError(`an Ed25519 public key has ${PUBLIC_KEY_LENGTH} bytes, not ${publicKey.length}`);
    }
    return signature.length === SIGNATURE_LENGTH && verify(signature, message, publicKey);
  };
}

/** A secret key that a library has loaded and can sign with. */
export interface Signer {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/**
 * Signs with the key that `open` makes from the seed. Refuses a public key that does not belong to the seed: two
 * signatures of one message with the same seed and two public keys would reveal the seed.
 */
export function withMatchingHalves(open: (seed: Uint8Array) => Signer): SignEd25519 {
  return (message, { publicKey, secretKey }) => {
    if (secretKey.length !== SEED_LENGTH) {
      throw new RangeError(`an Ed25519 seed has ${SEED_LENGTH} bytes, not ${secretKey.length}`);
    }
    const signer = open(secretKey);
    if (Buffer.compare(signer.publicKey, publicKey) !== 0) {
      throw new RangeError('the public key does not belong to the secret key');
    }
    return signer.sign(message);
  };
}
