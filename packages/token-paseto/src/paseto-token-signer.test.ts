import { createPrivateKey, sign } from 'node:crypto';
import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { anUnusableKey, someClaims } from '@gatehouse/domain/testing';
import { tokenSignerContract } from '@gatehouse/domain/testing/contracts';
import { type KeyPair, TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPasetoTokenSigner } from './index.ts';

/** Builds a token by hand (PASETO version 4, Common.md and Version4.md), with any header, footer and assertion. */
function signByHand(
  key: KeyPair,
  payload: Uint8Array,
  {
    header = 'v4.public.',
    footer = JSON.stringify({ kid: key.id }),
    implicitAssertion = '',
  }: { readonly header?: string; readonly footer?: string; readonly implicitAssertion?: string } = {},
): string {
  const pieces = [Buffer.from(header), payload, Buffer.from(footer), Buffer.from(implicitAssertion)];
  const signature = sign(null, authenticated(pieces), privateKey(key));
  const body = Buffer.concat([payload, signature]).toString('base64url');
  return `${header}${body}${footer && `.${Buffer.from(footer).toString('base64url')}`}`;
}

function authenticated(pieces: readonly Uint8Array[]): Buffer {
  const count = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  return Buffer.concat([count(pieces.length), ...pieces.flatMap((piece) => [count(piece.length), piece])]);
}

function privateKey({ publicKey, secretKey }: KeyPair) {
  const encode = (half: Uint8Array) => Buffer.from(half).toString('base64url');
  const key = { kty: 'OKP', crv: 'Ed25519', x: encode(publicKey), d: encode(secretKey) };
  return createPrivateKey({ format: 'jwk', key });
}

function payloadOf(token: string): Buffer {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url').subarray(0, -64);
}

tokenSignerContract('PASETO v4.public', {
  createSigner: createPasetoTokenSigner,
  forge: async (payload, key) => signByHand(key, payload),
  payloadOf: (token) => payloadOf(token).toString(),
});

describe('A PASETO signer', () => {
  const signer = createPasetoTokenSigner();
  let key: KeyPair;
  let verificationKey: VerificationKey;
  let token: string;
  let payload: Buffer;

  beforeAll(async () => {
    key = await signer.generateKey();
    verificationKey = { ...key, format: 'paseto' };
    token = await signer.sign(someClaims(), key);
    payload = payloadOf(token);
  });

  it('writes RFC 3339 dates and decimal ids, and names the key in the footer', () => {
    expect(payload.toString()).toBe(
      '{"iss":"gatehouse","aud":"gatehouse-api","sub":"7","jti":"01999999-89ab-7def-8123-456789abcdef",' +
        '"iat":"2026-09-21T14:13:20Z","exp":"2026-10-21T14:13:20Z","kind":"api"}',
    );
    const [version, purpose, , footer = ''] = token.split('.');
    expect([version, purpose]).toEqual(['v4', 'public']);
    expect(Buffer.from(footer, 'base64url').toString()).toBe(`{"kid":"${key.id}"}`);
    expect(signByHand(key, payload)).toBe(token);
  });

  it.each(['v1.public.', 'v2.public.', 'v3.public.', 'v4.local.', 'v5.public.', 'V4.public.', 'v4.PUBLIC.'])(
    'refuses %s before any key is used',
    async (header) => {
      const unusable = anUnusableKey(key.id, 'paseto');
      const other = signByHand(key, payload, { header });
      expect(signer.keyIdOf(other)).toBeUndefined();
      expect(await signer.verify(other, unusable)).toBeUndefined();
      await expect(signer.verify(token, unusable)).rejects.toThrow('the key was used');
    },
  );

  it.each<[string, (kid: string) => string]>([
    ['none', () => ''],
    ['an empty object', () => '{}'],
    ['a bare key id', (kid) => kid],
    ['white space', (kid) => `{"kid": "${kid}"}`],
    ['a further member', (kid) => `{"kid":"${kid}","wpk":""}`],
    ['the key id twice', (kid) => `{"kid":"${kid}","kid":"${kid}"}`],
    ['another member name, as long', (kid) => `{"KID":"${kid}"}`],
    ['no JSON, as long', (kid) => `('kid','${kid}')`],
    ['an escaped key id', (kid) => `{"kid":"\\u006b${kid.slice(1)}"}`],
    ['an array of key ids', (kid) => `{"kid":["${kid}"]}`],
    ['a key id of another kind', (kid) => `{"kid":"${kid.replace('k4.pid', 'k4.sid')}"}`],
    ['a longer key id', (kid) => `{"kid":"${kid}A"}`],
    ['another key id', (kid) => `{"kid":"${kid.slice(0, -1)}${kid.endsWith('A') ? 'B' : 'A'}"}`],
    ['a byte that is no ASCII', (kid) => `{"kid":"${kid.slice(0, -1)}é"}`],
    ['one kibibyte', (kid) => `{"kid":"${kid}"}${' '.repeat(1024)}`],
    ['more than the longest token', (kid) => `{"kid":"${kid}"}${' '.repeat(TOKEN_MAX_LENGTH)}`],
  ])('refuses another signed footer: %s', async (_, footerFor) => {
    const other = signByHand(key, payload, { footer: footerFor(key.id) });
    expect(await signer.verify(other, verificationKey)).toBeUndefined();
  });

  it('finds no key id in a foreign footer, or without a separator', () => {
    const other = signByHand(key, payload, {
      footer: JSON.stringify({ kid: key.id.replace('k4.pid', 'k4.sid') }),
    });
    expect(signer.keyIdOf(other)).toBeUndefined();
    const dot = token.lastIndexOf('.');
    expect(signer.keyIdOf(`${token.slice(0, dot)}A${token.slice(dot + 1)}`)).toBeUndefined();
  });

  it('refuses a token with an implicit assertion', async () => {
    const other = signByHand(key, payload, { implicitAssertion: '{}' });
    expect(await signer.verify(other, verificationKey)).toBeUndefined();
  });

  it.each([
    ['an offset', '2026-09-21T14:13:20+00:00'],
    ['another offset', '2026-09-21T16:13:20+02:00'],
    ['an offset of minus zero', '2026-09-21T14:13:20-00:00'],
    ['a fraction', '2026-09-21T14:13:20.000Z'],
    ['half a second', '2026-09-21T14:13:20.5Z'],
    ['lower case', '2026-09-21t14:13:20z'],
    ['a space', '2026-09-21 14:13:20Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['a day that is none', '2026-02-30T14:13:20Z'],
    ['a year before 1970', '1969-12-31T23:59:59Z'],
    ['a year of five digits', '+010000-01-01T00:00:00Z'],
    ['a date alone', '2026-09-21'],
    ['seconds since 1970', '1790000000'],
  ])('refuses a date in another spelling, though it is signed: %s', async (_, date) => {
    const text = payload.toString();
    for (const genuine of ['2026-09-21T14:13:20Z', '2026-10-21T14:13:20Z']) {
      const forged = Buffer.from(text.replace(genuine, date));
      expect(forged.equals(payload)).toBe(false);
      expect(await signer.verify(signByHand(key, forged), verificationKey)).toBeUndefined();
    }
  });

  it('refuses the second number that satisfies the signature equation', async () => {
    // RFC 8032 section 5.1.7: S must be below the group's order, or S plus that order would verify as well.
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const body = Buffer.from(token.split('.')[2] ?? '', 'base64url');
    const scalar = BigInt(`0x${Buffer.from(body.subarray(-32)).reverse().toString('hex')}`) + order;
    Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
      .reverse()
      .copy(body, body.length - 32);
    const other = token.split('.').with(2, body.toString('base64url')).join('.');
    expect(other).not.toBe(token);
    expect(await signer.verify(other, verificationKey)).toBeUndefined();
  });
});
