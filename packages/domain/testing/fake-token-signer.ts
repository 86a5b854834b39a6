import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { KeyId } from '../src/signing-keys/signing-key.ts';
import type { TokenFormat } from '../src/tokens/token.ts';
import {
  fromPayload,
  type KeyPair,
  TOKEN_MAX_LENGTH,
  type TokenClaims,
  type TokenSigner,
  toPayload,
} from '../src/tokens/token-signer.ts';

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
      if (!hash(key.secretKey).equals(key.publicKey)) throw new RangeError('these are halves of two keys');
      const token = fakeToken(format, payloadOf(claims), key);
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== format || keyIdOf(token) !== key.id) return undefined;
      const claims = fromPayload(parseObject(fakePayloadOf(token)), dateOf);
      return claims && fakeToken(format, payloadOf(claims), key) === token ? claims : undefined;
    },
  };
}

/** Creates a fake token with any payload. */
export function fakeToken(format: TokenFormat, payload: Uint8Array, key: Pick<KeyPair, 'id' | 'publicKey'>) {
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

const payloadOf = (claims: TokenClaims) => Buffer.from(JSON.stringify(toPayload(claims, (date) => date)));

const dateOf = (claim: unknown) => (typeof claim === 'number' ? claim : undefined);

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
