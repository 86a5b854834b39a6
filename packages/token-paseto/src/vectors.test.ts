import { readFileSync } from 'node:fs';
import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import { anUnusableKey } from '@gatehouse/domain/testing';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { PublicProtocol } from 'paseto';
import { describe, expect, it } from 'vitest';
import { createPasetoTokenSigner, toPaserk } from './index.ts';
import { toKeyId } from './paserk.ts';
import { SignFactory, toPublicKey, toSecretKey, VerifyFactory } from './signatures.ts';

interface TokenVector {
  readonly name: string;
  readonly 'expect-fail': boolean;
  readonly 'public-key'?: string;
  readonly 'secret-key-seed'?: string;
  readonly token: string;
  readonly payload: string | null;
  readonly footer: string;
  readonly 'implicit-assertion': string;
}

interface KeyVector {
  readonly name: string;
  readonly 'expect-fail': boolean;
  readonly key: string;
  readonly paserk: string | null;
}

const load = <T>(file: string): readonly T[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8')).tests;
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('The official PASERK vectors', () => {
  const publicVectors = load<KeyVector>('k4.public.json');
  const idVectors = load<KeyVector>('k4.pid.json');

  it('are complete', () => {
    expect([publicVectors.length, idVectors.length]).toEqual([4, 5]);
  });

  it.each(publicVectors)('$name', ({ key, paserk, 'expect-fail': fails }) => {
    if (fails) expect(() => toPaserk({ publicKey: bytes(key) })).toThrow(RangeError);
    else expect(toPaserk({ publicKey: bytes(key) })).toBe(paserk);
  });

  it.each(idVectors)('$name', ({ key, paserk, 'expect-fail': fails }) => {
    if (fails) expect(() => toKeyId(bytes(key))).toThrow(RangeError);
    else expect(toKeyId(bytes(key))).toBe(paserk);
  });
});

describe('The official PASETO version 4 vectors', () => {
  const vectors = load<TokenVector>('v4.json');
  const signed = vectors.filter(({ name }) => name.startsWith('4-S-'));
  const signer = createPasetoTokenSigner();
  const protocol = new PublicProtocol(SignFactory, VerifyFactory);
  const [{ 'public-key': x = '', 'secret-key-seed': seed = '' } = {}] = signed;
  const pair: KeyPair = { id: toKeyId(bytes(x)), publicKey: bytes(x), secretKey: bytes(seed) };
  const verificationKey: VerificationKey = { ...pair, format: 'paseto' };

  it('are complete', () => {
    expect([vectors.length, signed.length]).toEqual([17, 3]);
    expect(vectors.filter((vector) => vector['expect-fail'])).toHaveLength(5);
  });

  // The signer rejects their claims, which are not ours, so this tests its keys and its library.
  it.each(signed)('$name is signed and verified by our keys and the library', async (vector) => {
    expect([vector['public-key'], vector['secret-key-seed']]).toEqual([x, seed]);
    const options = {
      footer: Buffer.from(vector.footer),
      implicitAssertion: Buffer.from(vector['implicit-assertion']),
    };
    const claims = JSON.parse(vector.payload ?? '');
    const secretKey = toSecretKey(pair);
    expect(await protocol.Sign(secretKey, claims, { ...options, addIssuedAt: false })).toBe(vector.token);
    const publicKey = toPublicKey(verificationKey);
    const now = new Date('2021-12-31T00:00:00Z');
    expect((await protocol.Verify(publicKey, vector.token, { ...options, now })).claims).toEqual(claims);
    const altered = { ...options, now, implicitAssertion: Buffer.from('altered') };
    await expect(protocol.Verify(publicKey, vector.token, altered)).rejects.toThrow();
  });

  it.each(vectors)(
    '$name is no token of ours: it is refused, with no key used',
    async ({ token, footer }) => {
      const named = footer.startsWith('{') ? (JSON.parse(footer).kid as KeyId) : pair.id;
      for (const id of [pair.id, named]) {
        expect(await signer.verify(token, anUnusableKey(id, 'paseto'))).toBeUndefined();
      }
      expect(signer.keyIdOf(token)).toBeUndefined();
    },
  );

  it.each(vectors.filter((vector) => vector['expect-fail']))(
    '$name is refused by the library',
    async (vector) => {
      const publicKey = toPublicKey(verificationKey);
      const implicitAssertion = Buffer.from(vector['implicit-assertion']);
      const anyTime = { allowNonExpiring: true, clockTolerance: Number.MAX_SAFE_INTEGER };
      await expect(
        protocol.Verify(publicKey, vector.token, { ...anyTime, implicitAssertion }),
      ).rejects.toThrow();
    },
  );
});
