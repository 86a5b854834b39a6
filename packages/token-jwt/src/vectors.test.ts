import { readFileSync } from 'node:fs';
import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { CompactSign, compactVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createJwtTokenSigner, toJwk } from './index.ts';
import { toKeyId } from './jwk.ts';
import { importPublicKey, importSecretKey } from './keys.ts';

interface Vector {
  readonly name: string;
  readonly jwk?: { readonly x: string; readonly d?: string };
  readonly thumbprint?: string;
  readonly header?: string;
  readonly payload?: string;
  readonly compact?: string;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../vectors/rfc8037.json', import.meta.url), 'utf8'),
).tests;
const bytes = (text = '') => Uint8Array.from(Buffer.from(text, 'base64url'));

describe('The values of RFC 8037 appendix A', async () => {
  const secret = vectors[0]?.jwk;
  const publicKey = bytes(secret?.x);
  const pair: KeyPair = { id: await toKeyId(publicKey), publicKey, secretKey: bytes(secret?.d) };
  const verificationKey: VerificationKey = { ...pair, format: 'jwt' };

  it('are complete', () => {
    expect(vectors).toHaveLength(5);
  });

  it('give the key id of A.3', () => {
    expect(pair.id).toBe(vectors[2]?.thumbprint);
  });

  it('give the public key of A.2, with the members that a key set adds', () => {
    expect(toJwk(verificationKey)).toEqual({ ...vectors[1]?.jwk, kid: pair.id, alg: 'EdDSA', use: 'sig' });
  });

  // The signer rejects their headers and payloads, which are not ours, so this tests its keys and its library.
  it('give the signature of A.4, which the library verifies', async () => {
    const { header = '', payload = '', compact = '' } = vectors[3] ?? {};
    const signed = await new CompactSign(Buffer.from(payload))
      .setProtectedHeader(JSON.parse(header))
      .sign(await importSecretKey(pair));
    expect(signed).toBe(compact);
    const verified = await compactVerify(compact, await importPublicKey(verificationKey));
    expect(Buffer.from(verified.payload).toString()).toBe(payload);
  });

  it.each(vectors.filter(({ compact }) => compact))(
    '$name is not accepted as a token',
    async ({ compact = '' }) => {
      const signer = createJwtTokenSigner();
      expect(signer.keyIdOf(compact)).toBeUndefined();
      expect(await signer.verify(compact, verificationKey)).toBeUndefined();
    },
  );

  it('a key of another length is refused', () => {
    for (const length of [0, 31, 33, 49]) {
      expect(() => toJwk({ ...verificationKey, publicKey: new Uint8Array(length) })).toThrow(RangeError);
    }
  });
});
