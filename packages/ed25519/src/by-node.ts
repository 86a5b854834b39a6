import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { type Ed25519, withLengths, withMatchingHalves } from './ed25519.ts';

const OKP = { kty: 'OKP', crv: 'Ed25519' } as const;

/** The bytes before the seed in PKCS #8 (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 functions of the OpenSSL that is part of Node. */
export const ed25519ByNode: Ed25519 = {
  verify: withLengths((signature, message, publicKey) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ format: 'jwk', key: { ...OKP, x } });
    return verify(null, message, key, signature);
  }),

  sign: withMatchingHalves((seed) => {
    const der = Buffer.concat([PKCS8_PREFIX, seed]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    return { publicKey: Buffer.from(x, 'base64url'), sign: (message) => sign(null, message, key) };
  }),
};
