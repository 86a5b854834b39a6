import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { TOKEN_MAX_LENGTH, type TokenSigner } from '@gatehouse/domain/tokens';
import { verifyEd25519 } from '@gatehouse/ed25519';
import { fromPayload, toPayload } from './claims.ts';
import { headerFor, keyIdOf } from './header.ts';
import { generateKey } from './keys.ts';
import { signCompact } from './signing.ts';

/**
 * Signs JWTs with Ed25519; their header is `{"alg":"EdDSA","typ":"JWT","kid":"..."}`. A token with any other
 * header is refused before a key is used, so it cannot propose an algorithm, key or extension.
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

/** Base64url without padding, line breaks or stray trailing bits (RFC 7515 section 2, RFC 4648 section 3.5). */
function isCanonical(token: string): boolean {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

/**
 * Returns the payload if the signature is valid (RFC 7515 section 5.2, RFC 8037 section 3.1). The caller has compared the
 * header, which names the algorithm and the key, with ours.
 *
 * Not by jose, whose Web Crypto takes twice the CPU time of libsodium and more. The event loop waits for it.
 */
function verifySignature(token: string, { publicKey }: VerificationKey): Uint8Array | undefined {
  const [start, end] = [token.indexOf('.') + 1, token.lastIndexOf('.')];
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  if (!verifyEd25519(signature, Buffer.from(token.slice(0, end)), publicKey)) return undefined;
  return Buffer.from(token.slice(start, end), 'base64url');
}
