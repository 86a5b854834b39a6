import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { Routes } from '@gatehouse/api-contract';
import type { SuccessBody } from '@gatehouse/extension-kit/http';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedTokens, serveTokens } from '../../testing/accepted-tokens.ts';
import { call } from '../../testing/client.ts';
import { encode, forgeJwt, forgePaseto, jwtHeader, payloadOf } from '../../testing/forge.ts';

let server: ServedTokens;

beforeAll(async () => {
  server = await serveTokens();
});
afterAll(() => server[Symbol.asyncDispose]());

test('of PASETO, other versions and purposes are refused', () => {
  const payload = payloadOf(server.tokens.paseto, 'paseto');
  const headers = [
    'v1.public.',
    'v2.public.',
    'v3.public.',
    'v1.local.',
    'v4.local.',
    'V4.public.',
    'v4.PUBLIC.',
  ];
  const [, , ...body] = server.tokens.paseto.split('.');
  return server.expectAllRefused(
    headers.flatMap((header) => [
      forgePaseto(payload, server.keys.paseto, header),
      `${header}${body.join('.')}`,
    ]),
  );
});

describe('of JWT', () => {
  const sealedBy = (alg: string, signature: (signed: string) => Uint8Array) => {
    const signed = `${encode(jwtHeader(server.keys.jwt).replace('EdDSA', alg))}.${encode(payloadOf(server.tokens.jwt, 'jwt'))}`;
    return `${signed}.${encode(signature(signed))}`;
  };

  test('the algorithm none is refused in any case, signed or not', () => {
    const names = Array.from({ length: 16 }, (_, mask) =>
      [...'none'].map((letter, bit) => (mask & (1 << bit) ? letter.toUpperCase() : letter)).join(''),
    );
    return server.expectAllRefused(
      names.flatMap((alg) => [
        sealedBy(alg, () => new Uint8Array()),
        forgeJwt(
          payloadOf(server.tokens.jwt, 'jwt'),
          server.keys.jwt,
          jwtHeader(server.keys.jwt).replace('EdDSA', alg),
        ),
      ]),
    );
  });

  test('a MAC keyed with the public key is refused, in whatever form that is published or written', async () => {
    const { json } = await call(server.url, '/.well-known/jwks.json');
    const [jwk] = (json as SuccessBody<Routes['getJwks']>).keys.filter(
      ({ kid }) => kid === server.keys.jwt.id,
    );
    if (!jwk?.x) return expect.fail('the key is not published');
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x } });
    const secrets = [
      Buffer.from(jwk.x, 'base64url'),
      jwk.x,
      JSON.stringify(jwk),
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
    ];
    await server.expectAllRefused(
      ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
        secrets.map((secret) =>
          sealedBy(alg, (signed) => createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest()),
        ),
      ),
    );
  });

  test('a key, or a way to one, that the token brings itself is never obeyed', async () => {
    const attacker = { ...(await createPasetoTokenSigner().generateKey()), id: server.keys.jwt.id };
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: encode(attacker.publicKey) };
    const members = [
      { jwk },
      { jwk, kid: undefined },
      { jku: 'http://127.0.0.1:1/jwks.json' },
      { x5u: 'http://127.0.0.1:1/key.pem' },
      { x5c: ['MIIB'] },
      { crit: ['exp'] },
      { crit: [] },
      { zip: 'DEF' },
      { b64: false, crit: ['b64'] },
    ];
    const headers = members.map((more) =>
      JSON.stringify({ ...JSON.parse(jwtHeader(server.keys.jwt)), ...more }),
    );
    const payload = payloadOf(server.tokens.jwt, 'jwt');
    await server.expectAllRefused(
      headers.flatMap((header) => [
        forgeJwt(payload, attacker, header),
        forgeJwt(payload, server.keys.jwt, header),
      ]),
    );
  });

  test('RS256, ES256 and encrypted tokens are refused', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const encrypted = ['{"alg":"dir","enc":"A256GCM"}', '', 'iv', 'text', 'tag'].map(encode).join('.');
    await server.expectAllRefused([
      sealedBy('RS256', (signed) => sign('sha256', Buffer.from(signed), rsa)),
      sealedBy('ES256', (signed) =>
        sign('sha256', Buffer.from(signed), { key: ec, dsaEncoding: 'ieee-p1363' }),
      ),
      encrypted,
      [encode(jwtHeader(server.keys.jwt)), ...encrypted.split('.').slice(1)].join('.'),
    ]);
  });
});
