import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { KeyId } from '../src/signing-keys/signing-key.ts';
import { type Instant, LAST_INSTANT } from '../src/time/instant.ts';
import { parseTokenId, TOKEN_KINDS, type TokenFormat } from '../src/tokens/token.ts';
import type { TokenClaims } from '../src/tokens/token-claims.ts';
import { type KeyPair, TOKEN_MAX_LENGTH, type TokenSigner } from '../src/tokens/token-signer.ts';
import { parseUserId } from '../src/users/user.ts';

/**
 * Creates a fast TokenSigner for tests. Instead of a signature it uses a hash keyed with the *public* key, so a
 * verifier could also sign.
 */
export function createFakeTokenSigner(format: TokenFormat = 'paseto'): TokenSigner {
  const prefix = `fake-${format}.`;

  const keyIdOf = (token: string): KeyId | undefined => {
    if (token.length > TOKEN_MAX_LENGTH || !token.startsWith(prefix)) return undefined;
    return token.split('.')[1] as KeyId | undefined;
  };

  return {
    format,

    async generateKey() {
      const secretKey = Uint8Array.from(randomBytes(32));
      const publicKey = Uint8Array.from(hash(secretKey));
      return { id: `${format}-${hash(publicKey).toString('base64url')}` as KeyId, publicKey, secretKey };
    },

    async sign(claims, key) {
      for (const date of [claims.issuedAt, claims.expiresAt ?? claims.issuedAt]) {
        if (!isTokenDate(date)) throw new RangeError('no date for a token');
      }
      const token = fakeToken(format, toPayload(claims), key);
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== format || keyIdOf(token) !== key.id) return undefined;
      const claims = fromPayload(fakePayloadOf(token));
      return claims && fakeToken(format, toPayload(claims), key) === token ? claims : undefined;
    },
  };
}

/** Creates a fake token with any payload. */
export function fakeToken(
  format: TokenFormat,
  payload: Uint8Array,
  key: Pick<KeyPair, 'id' | 'publicKey'>,
): string {
  if (key.publicKey.length !== 32) throw new RangeError('a public key has 32 bytes');
  const text = `fake-${format}.${key.id}.${Buffer.from(payload).toString('base64url')}`;
  return `${text}.${createHmac('sha256', key.publicKey).update(text).digest('base64url')}`;
}

/** Returns the payload of a fake token. */
export function fakePayloadOf(token: string): string {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url').toString();
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function isTokenDate(date: number): boolean {
  return Number.isInteger(date / 1000) && date >= 0 && date <= LAST_INSTANT;
}

function toPayload({ issuer, audience, subject, tokenId, issuedAt, expiresAt, kind }: TokenClaims): Buffer {
  const dates = { iat: issuedAt, ...(expiresAt !== null && { exp: expiresAt }) };
  const payload = { iss: issuer, aud: audience, sub: String(subject), jti: tokenId, ...dates, kind };
  return Buffer.from(JSON.stringify(payload));
}

function fromPayload(text: string): TokenClaims | undefined {
  const { iss, aud, sub, jti, iat, exp = null, kind: name } = parseObject(text);
  const subject = parseUserId(String(sub));
  const tokenId = parseTokenId(String(jti));
  const kind = TOKEN_KINDS.find((known) => known === name);
  if (typeof iss !== 'string' || typeof aud !== 'string') return undefined;
  if (subject === undefined || tokenId === undefined || kind === undefined) return undefined;
  if (!isDateClaim(iat) || !(exp === null || isDateClaim(exp))) return undefined;
  return { issuer: iss, audience: aud, subject, tokenId, issuedAt: iat, expiresAt: exp, kind };
}

function isDateClaim(claim: unknown): claim is Instant {
  return typeof claim === 'number' && isTokenDate(claim);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
