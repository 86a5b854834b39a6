import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import {
  fromPayload,
  TOKEN_MAX_LENGTH,
  type TokenClaims,
  type TokenSigner,
  toPayload,
} from '@gatehouse/domain/tokens';
import { ClaimValidationError, InvalidTokenError, PublicProtocol } from 'paseto';
import { generateKey } from './paserk.ts';
import { SignFactory, toPublicKey, toSecretKey, VerifyFactory } from './signatures.ts';

const protocol = new PublicProtocol(SignFactory, VerifyFactory);

/** Disables the library's checks of dates, because the domain checks the expiry on every use of a token. */
const ANY_TIME = { allowNonExpiring: true, clockTolerance: Number.MAX_SAFE_INTEGER };

const SIGNATURE_LENGTH = 64;

/** Signs PASETO v4.public tokens, whose footer is `{"kid":"k4.pid...."}`. */
export function createPasetoTokenSigner(): TokenSigner {
  return {
    format: 'paseto',
    generateKey,

    async sign(claims, key) {
      const token = await protocol.Sign(toSecretKey(key), toPayload(claims, toDateTime), {
        addIssuedAt: false,
        nonExpiring: claims.expiresAt === null,
        footer: Buffer.from(footerFor(key.id)),
      });
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== 'paseto' || keyIdOf(token) !== key.id) return undefined;
      const payload = await verifySignature(token, key);
      const claims = payload && fromPayload(payload, fromDateTime);
      return claims && isSpelledAsSigned(token, claims) ? claims : undefined;
    },
  };
}

async function verifySignature(token: string, key: VerificationKey) {
  try {
    return (await protocol.Verify(toPublicKey(key), token, ANY_TIME)).claims;
  } catch (error) {
    if (error instanceof InvalidTokenError || error instanceof ClaimValidationError) return undefined;
    throw error;
  }
}

/**
 * Whether the payload has exactly the bytes that `sign` writes. JSON has many other encodings of the same claims, which
 * are refused.
 */
function isSpelledAsSigned(token: string, claims: TokenClaims): boolean {
  const signed = Buffer.from(token.split('.')[2] ?? '', 'base64url').subarray(0, -SIGNATURE_LENGTH);
  return signed.equals(Buffer.from(JSON.stringify(toPayload(claims, toDateTime))));
}

const HEADER = 'v4.public.';
const KEY_ID = /^k4\.pid\.[A-Za-z0-9_-]{44}$/;

/** Returns the footer of every token that this key signs. The footer contains only the key id. */
function footerFor(id: KeyId): string {
  return JSON.stringify({ kid: id });
}

/** The length of every footer in base64url. All key ids have the same length. */
const FOOTER_LENGTH = encode(footerFor(`k4.pid.${'0'.repeat(44)}` as KeyId)).length;

/**
 * Returns the key id in the footer of a token, without verifying the token; undefined if the footer is not exactly as
 * Gatehouse writes it.
 */
function keyIdOf(token: string): KeyId | undefined {
  if (token.length > TOKEN_MAX_LENGTH || !token.startsWith(HEADER)) return undefined;
  if (token.at(-FOOTER_LENGTH - 1) !== '.') return undefined;
  const footer = token.slice(-FOOTER_LENGTH);
  const id = Buffer.from(footer, 'base64url').toString('latin1').slice('{"kid":"'.length, -'"}'.length);
  return KEY_ID.test(id) && encode(footerFor(id as KeyId)) === footer ? (id as KeyId) : undefined;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Formats a date as RFC 3339 in UTC, without a fraction of a second (PASETO, 04-Claims.md). */
const toDateTime = (instant: Instant) => `${formatInstant(instant).slice(0, -'.000Z'.length)}Z`;

/**
 * Parses a date. `Date.parse` takes a quarter of the time of `parseInstant`, but also accepts other spellings.
 * `isSpelledAsSigned` compares bytes, and so refuses these spellings.
 */
const fromDateTime = (claim: unknown) => (typeof claim === 'string' ? Date.parse(claim) : undefined);
