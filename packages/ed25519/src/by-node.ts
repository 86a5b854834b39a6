import { createPublicKey, verify } from 'node:crypto';
import { type VerifyEd25519, withLengths } from './ed25519.ts';

/** Verification by the OpenSSL that Node brings. */
export const verifyByNode: VerifyEd25519 = withLengths((signature, message, publicKey) => {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, message, key, signature);
});
