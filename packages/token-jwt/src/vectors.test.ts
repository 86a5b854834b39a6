import { readFileSync } from 'node:fs';
import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { verifyEd25519 } from '@gatehouse/ed25519';
import { describe, expect, it } from 'vitest';
import { createJwtTokenSigner, toJwk } from './index.ts';
import { toKeyId } from './jwk.ts';
import { signCompact } from './jwt-token-signer.ts';

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

  // The signer rejects their headers and payloads, which are not ours, so this tests its keys and its libraries.
  it('give the signature of A.4, which verifies', () => {
    const { header = '', payload = '', compact = '' } = vectors[3] ?? {};
    expect(signCompact(JSON.parse(header), Buffer.from(payload), pair)).toBe(compact);
    const end = compact.lastIndexOf('.');
    expect(verifyEd25519(bytes(compact.slice(end + 1)), Buffer.from(compact.slice(0, end)), publicKey)).toBe(
      true,
    );
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
