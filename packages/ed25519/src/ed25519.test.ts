import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLibsodium } from './by-libsodium.ts';
import { ed25519ByNode } from './by-node.ts';
import type { Ed25519 } from './ed25519.ts';
import { signEd25519, verifyEd25519 } from './index.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Tests 1 to 3 of RFC 8032 section 7.1: public key, message, signature, secret key. */
const VECTORS = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
  ],
] as const;

/** The order of the group, RFC 8032 section 5.1. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The same signature with its scalar S beyond the order, which verifies if that is not checked. */
function withLargeScalar(signature: Uint8Array): Buffer {
  const scalar = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`);
  return Buffer.concat([signature.slice(0, 32), littleEndian(scalar + L)]);
}

const { publicKey: keyObject, privateKey } = generateKeyPairSync('ed25519');
const publicKey = Buffer.from(keyObject.export({ format: 'jwk' }).x ?? '', 'base64url');
const message = Buffer.from('a message');
const signature = sign(null, message, privateKey);

const libsodium = openLibsodium();

it('libsodium is there, and is what verifies and signs', () => {
  // Its packages have builds for glibc and macOS; this project’s own set-up needs one of the two.
  expect(libsodium).toBeDefined();
  expect(verifyEd25519).not.toBe(ed25519ByNode.verify);
  expect(signEd25519).not.toBe(ed25519ByNode.sign);
});

const notThere = () => expect.fail('libsodium is not there');

const IMPLEMENTATIONS: readonly (readonly [string, Ed25519])[] = [
  ['libsodium', libsodium ?? { verify: notThere, sign: notThere }],
  ['Node', ed25519ByNode],
];

describe.each(IMPLEMENTATIONS)('verification by %s', (_, { verify }) => {
  it.each(VECTORS)('accepts the signature of RFC 8032 for the key %s', (key, said, signed) => {
    expect(verify(bytes(signed), bytes(said), bytes(key))).toBe(true);
  });

  it('refuses a signature with one bit changed, of another message, or by another key', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 511 }), (bit) => {
        const changed = Buffer.from(signature);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verify(changed, message, publicKey)).toBe(false);
      }),
    );
    expect(verify(signature, Buffer.from('another message'), publicKey)).toBe(false);
    expect(verify(signature, message, bytes(VECTORS[0][0]))).toBe(false);
  });

  it('refuses the same signature with a scalar beyond the group’s order', () => {
    expect(verify(signature, message, publicKey)).toBe(true);
    expect(verify(withLargeScalar(signature), message, publicKey)).toBe(false);
  });

  it.each([0, 63, 65, 128])('refuses a signature of %i bytes', (length) => {
    expect(verify(Buffer.concat([signature, signature]).subarray(0, length), message, publicKey)).toBe(false);
  });

  it.each([0, 31, 33])('throws for a public key of %i bytes', (length) => {
    expect(() => verify(signature, message, Buffer.alloc(length))).toThrow(RangeError);
  });
});

describe.each(IMPLEMENTATIONS)('signing by %s', (_, { sign: signBy }) => {
  it('gives the signatures of RFC 8032, each of them new', () => {
    const signatures = VECTORS.map(([key, said, , seed]) =>
      signBy(bytes(said), { publicKey: bytes(key), secretKey: bytes(seed) }),
    );
    expect(signatures.map((each) => Buffer.from(each).toString('hex'))).toEqual(
      VECTORS.map(([, , signed]) => signed),
    );
  });

  it.each([0, 31, 33, 64])('throws for a seed of %i bytes', (length) => {
    const secretKey = Buffer.alloc(64, bytes(VECTORS[0][3])).subarray(0, length);
    expect(() => signBy(message, { publicKey: bytes(VECTORS[0][0]), secretKey })).toThrow(RangeError);
  });

  it('throws for the public key of another seed, which could reveal this one', () => {
    const mixed = { publicKey: bytes(VECTORS[1][0]), secretKey: bytes(VECTORS[0][3]) };
    expect(() => signBy(message, mixed)).toThrow('does not belong to the secret key');
  });
});
