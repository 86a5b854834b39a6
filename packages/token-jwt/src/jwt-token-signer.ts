import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import type { Instant } from '@gatehouse/domain/time';
import {
  fromPayload as fromClaims,
  type KeyPair,
  TOKEN_MAX_LENGTH,
  type TokenClaims,
  type TokenSigner,
  toPayload as toClaims,
} from '@gatehouse/domain/tokens';
import { signEd25519, verifyEd25519 } from '@gatehouse/ed25519';
import { generateKey } from './jwk.ts';

/**
 * Signs JWTs with Ed25519. Their header is `{"alg":"EdDSA","typ":"JWT","kid":"..."}`. A token with any other header is
 * refused before a key is used, so a token cannot choose another algorithm, key or extension.
 */
export function createJwtTokenSigner(): TokenSigner {
  return {
    format: 'jwt',
    generateKey,

    async sign(claims, key) {
      const token = signCompact(headerFor(key.id), toPayload(claims), key);
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== 'jwt' || keyIdOf(token) !== key.id || !isCanonical(token)) return undefined;
      const payload = verifySignature(token, key);
      return payload && fromPayload(payload);
    },
  };
}

/**
 * Whether each part of a token is base64url without padding, without line breaks and without bits that mean nothing
 * (RFC 7515 section 2, RFC 4648 section 3.5).
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

/**
 * Returns the payload if the signature is valid (RFC 7515 section 5.2, RFC 8037 section 3.1). The caller has already
 * checked that the header is exactly the one of this key.
 *
 * Does not use jose: its Web Crypto takes at least twice the CPU time of libsodium, and the event loop waits during the
 * verification.
 */
function verifySignature(token: string, { publicKey }: VerificationKey): Uint8Array | undefined {
  const [start, end] = [token.indexOf('.') + 1, token.lastIndexOf('.')];
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  if (!verifyEd25519(signature, Buffer.from(token.slice(0, end)), publicKey)) return undefined;
  return Buffer.from(token.slice(start, end), 'base64url');
}

/**
 * Returns a JWS in compact serialization (RFC 7515 section 7.1), signed with Ed25519 (RFC 8037 section 3.1).
 *
 * Does not use jose, because its Web Crypto would import the key for each token.
 */
export function signCompact(header: object, payload: Uint8Array, key: KeyPair): string {
  const signed = `${encode(Buffer.from(JSON.stringify(header)))}.${encode(payload)}`;
  return `${signed}.${encode(signEd25519(Buffer.from(signed), key))}`;
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Returns the header of every token that this key signs. A header with its members in another order is refused. */
export function headerFor(id: KeyId): { readonly alg: 'EdDSA'; readonly typ: 'JWT'; readonly kid: KeyId } {
  return { alg: 'EdDSA', typ: 'JWT', kid: id };
}

const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

/** The length of every header in base64url. All key ids have the same length. */
const HEADER_LENGTH = encodedHeader('0'.repeat(43) as KeyId).length;
const BEFORE_KEY_ID = '{"alg":"EdDSA","typ":"JWT","kid":"'.length;

/**
 * Returns the key id in the header of a token, without verifying the token; undefined if the header is not exactly as
 * Gatehouse writes it.
 */
export function keyIdOf(token: string): KeyId | undefined {
  if (token.length > TOKEN_MAX_LENGTH || token[HEADER_LENGTH] !== '.') return undefined;
  const header = token.slice(0, HEADER_LENGTH);
  const id = Buffer.from(header, 'base64url').toString('latin1').slice(BEFORE_KEY_ID, -'"}'.length);
  return KEY_ID.test(id) && encodedHeader(id as KeyId) === header ? (id as KeyId) : undefined;
}

function encodedHeader(id: KeyId): string {
  return Buffer.from(JSON.stringify(headerFor(id))).toString('base64url');
}

export function toPayload(claims: TokenClaims): Uint8Array {
  return Buffer.from(JSON.stringify(toClaims(claims, toNumericDate)));
}

/**
 * Returns the claims if the payload has exactly the bytes that `toPayload` writes. JSON has many other encodings of the
 * same claims, which are refused.
 */
export function fromPayload(payload: Uint8Array): TokenClaims | undefined {
  const claims = fromClaims(parseJson(Buffer.from(payload).toString()), fromNumericDate);
  return claims && Buffer.compare(toPayload(claims), payload) === 0 ? claims : undefined;
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Converts a time to seconds since 1970 (RFC 7519 section 2). */
const toNumericDate = (instant: Instant) => instant / 1000;

const fromNumericDate = (claim: unknown) => (typeof claim === 'number' ? claim * 1000 : undefined);
