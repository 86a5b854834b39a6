import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { anUnusableKey, someClaims } from '@gatehouse/domain/testing';
import { tokenSignerContract } from '@gatehouse/domain/testing/contracts';
import { type KeyPair, TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';
import { CompactEncrypt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtTokenSigner } from './index.ts';

const encode = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

function headerFor(kid: string): string {
  return `{"alg":"EdDSA","typ":"JWT","kid":"${kid}"}`;
}

/** Builds a token by hand (RFC 7515 section 5.1), with any header. */
function signByHand(key: KeyPair, payload: Uint8Array, header = headerFor(key.id)): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${encode(sign(null, Buffer.from(signed), privateKey(key)))}`;
}

function privateKey({ publicKey, secretKey }: KeyPair): KeyObject {
  const key = { kty: 'OKP', crv: 'Ed25519', x: encode(publicKey), d: encode(secretKey) };
  return createPrivateKey({ format: 'jwk', key });
}

function payloadOf(token: string): Buffer {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url');
}

tokenSignerContract('JWT EdDSA', {
  createSigner: createJwtTokenSigner,
  forge: async (payload, key) => signByHand(key, payload),
  payloadOf: (token) => payloadOf(token).toString(),
});

describe('A JWT signer', () => {
  const signer = createJwtTokenSigner();
  let key: KeyPair;
  let verificationKey: VerificationKey;
  let token: string;
  let payload: Buffer;

  beforeAll(async () => {
    key = await signer.generateKey();
    verificationKey = { ...key, format: 'jwt' };
    token = await signer.sign(someClaims(), key);
    payload = payloadOf(token);
  });

  const expectRefusedUnread = async (other: string) => {
    expect(await signer.verify(other, anUnusableKey(key.id, 'jwt'))).toBeUndefined();
    expect(await signer.verify(other, verificationKey)).toBeUndefined();
  };

  it('writes numeric dates, a decimal subject, and names the key in the header', async () => {
    expect(payload.toString()).toBe(
      '{"iss":"gatehouse","aud":"gatehouse-api","sub":"7","jti":"01999999-89ab-7def-8123-456789abcdef",' +
        '"iat":1790000000,"exp":1792592000,"kind":"api"}',
    );
    expect(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).toBe(headerFor(key.id));
    expect(signByHand(key, payload)).toBe(token);
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('refuses the algorithm "%s", signed or not', async (alg) => {
    const header = headerFor(key.id).replace('EdDSA', alg);
    await expectRefusedUnread(`${encode(header)}.${encode(payload)}.`);
    await expectRefusedUnread(signByHand(key, payload, header));
  });

  it.each(['HS256', 'HS384', 'HS512'])(
    'refuses %s keyed with the public key in any of its forms',
    async (alg) => {
      const signed = `${encode(headerFor(key.id).replace('EdDSA', alg))}.${encode(payload)}`;
      const x = encode(key.publicKey);
      for (const secret of [key.publicKey, x, JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })]) {
        const mac = createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest();
        await expectRefusedUnread(`${signed}.${encode(mac)}`);
      }
    },
  );

  it.each<[string, () => KeyObject]>([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ])('refuses %s', async (alg, generate) => {
    const signed = `${encode(headerFor(key.id).replace('EdDSA', alg))}.${encode(payload)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: generate(), dsaEncoding: 'ieee-p1363' });
    await expectRefusedUnread(`${signed}.${encode(signature)}`);
    await expectRefusedUnread(signByHand(key, payload, headerFor(key.id).replace('EdDSA', alg)));
  });

  it('refuses the algorithm name Ed25519: only one name is accepted', async () => {
    await expectRefusedUnread(signByHand(key, payload, headerFor(key.id).replace('EdDSA', 'Ed25519')));
  });

  it.each([
    '"jwk":{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
    '"jku":"https://attacker.example/jwks.json"',
    '"x5u":"https://attacker.example/key.pem"',
    '"x5c":[]',
    '"crit":["exp"]',
    '"crit":["b64"],"b64":false',
    '"crit":[]',
    '"zip":"DEF"',
    '"cty":"JWT"',
    '"alg":"none"',
    '"kid":"another"',
  ])('refuses a signed header with %s', async (member) => {
    const header = headerFor(key.id);
    await expectRefusedUnread(signByHand(key, payload, `${header.slice(0, -1)},${member}}`));
    await expectRefusedUnread(signByHand(key, payload, `{${member},${header.slice(1)}`));
  });

  it.each<[string, (header: string) => string]>([
    ['white space', (header) => header.replace(':', ': ')],
    [
      'other order',
      (header) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(header)).reverse())),
    ],
    ['an escaped value', (header) => header.replace('EdDSA', '\\u0045dDSA')],
    ['a type in lower case', (header) => header.replace('"JWT"', '"jwt"')],
    ['no type', (header) => header.replace('"typ":"JWT",', '')],
    ['an array', (header) => `[${header}]`],
    ['nothing', () => ''],
    ['one kibibyte', (header) => header + ' '.repeat(1024)],
    ['more than the longest token', (header) => header + ' '.repeat(TOKEN_MAX_LENGTH)],
  ])('refuses a header in another spelling, though it is signed: %s', async (_, spell) => {
    await expectRefusedUnread(signByHand(key, payload, spell(headerFor(key.id))));
  });

  it('finds no key id in a foreign header, or without a separator', () => {
    expect(signer.keyIdOf(signByHand(key, payload, headerFor('"'.padStart(43, 'A'))))).toBeUndefined();
    expect(signer.keyIdOf(signByHand(key, payload, headerFor('.'.padStart(43, 'A'))))).toBeUndefined();
    expect(signer.keyIdOf(token.replace('.', 'A'))).toBeUndefined();
  });

  it('refuses an encrypted token', async () => {
    const encrypted = await new CompactEncrypt(payload)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.id, typ: 'JWT' })
      .encrypt(key.publicKey);
    expect(encrypted.split('.')).toHaveLength(5);
    await expectRefusedUnread(encrypted);
    await expectRefusedUnread([encode(headerFor(key.id)), ...encrypted.split('.').slice(1)].join('.'));
  });

  it.each([
    '1790000000.0',
    '1790000000.5',
    '179e7',
    '1.79e9',
    '1.79E9',
    '-1',
    '-0',
    '253402300800',
    '9007199254740993',
    '1e400',
    '"1790000000"',
    '"2026-09-21T14:13:20Z"',
  ])('refuses %s for a date, though it is signed', async (date) => {
    for (const genuine of ['1790000000', '1792592000']) {
      const forged = Buffer.from(payload.toString().replace(genuine, date));
      expect(await signer.verify(signByHand(key, forged), verificationKey)).toBeUndefined();
    }
  });

  it('refuses the second number that satisfies the signature equation', async () => {
    // RFC 8032 section 5.1.7: S must be below the group's order, or S plus that order would verify as well.
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const signature = Buffer.from(token.split('.')[2] ?? '', 'base64url');
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
    Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse().copy(signature, 32);
    const other = token.split('.').with(2, encode(signature)).join('.');
    expect(other).not.toBe(token);
    expect(await signer.verify(other, verificationKey)).toBeUndefined();
  });
});
