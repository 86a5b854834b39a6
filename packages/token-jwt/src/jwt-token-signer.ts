import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { TOKEN_MAX_LENGTH, type TokenSigner } from '@gatehouse/domain/tokens';
import { CompactSign, compactVerify, errors } from 'jose';
import { fromPayload, toPayload } from './claims.ts';
import { headerFor, keyIdOf } from './header.ts';
import { generateKey, importPublicKey, importSecretKey } from './keys.ts';

/**
 * Signs JWTs with Ed25519; their header is `{"alg":"EdDSA","typ":"JWT","kid":"..."}`. The library never sees any other
 * header, so a token cannot propose an algorithm, key or extension.
 */
export function createJwtTokenSigner(): TokenSigner {
  return {
    format: 'jwt',
    generateKey,

    async sign(claims, key) {
      const token = await new CompactSign(toPayload(claims))
        .setProtectedHeader(headerFor(key.id))
        .sign(await importSecretKey(key));
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== 'jwt' || keyIdOf(token) !== key.id || !isCanonical(token)) return undefined;
      const payload = await verifySignature(token, key);
      return payload && fromPayload(payload);
    },
  };
}

/** Base64url without padding, line breaks or stray trailing bits (RFC 7515 section 2, RFC 4648 section 3.5). */
function isCanonical(token: string): boolean {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

async function verifySignature(token: string, key: VerificationKey): Promise<Uint8Array | undefined> {
  const publicKey = await importPublicKey(key);
  try {
    return (await compactVerify(token, publicKey, { algorithms: ['EdDSA'] })).payload;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWSInvalid) {
      return undefined;
    }
    throw error;
  }
}
