import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { JwksAnswer } from '@gatehouse/api-contract';
import { type KeyPair, TOKEN_FORMATS, TOKEN_MAX_LENGTH, type TokenFormat } from '@gatehouse/domain';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { askMany } from '../../testing/ask-many.ts';
import { call } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import {
  activeKeyOf,
  encode,
  forge,
  forgeJwt,
  forgePaseto,
  jwtHeader,
  payloadOf,
} from '../../testing/forge.ts';
import { issue } from '../../testing/issue.ts';
import { type ServedPostgres, servePostgres } from '../../testing/serve-postgres.ts';
import { ChangeFeed, Usage } from '../container.ts';

// What every signer refuses is in its contract suite, bit by bit; here the same attacks arrive at a whole server.
const ME = '/api/v1/me.json';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of the many ways to damage a token, a short run takes one of so many. */
const STEP = sized({ short: 11, full: 1 });

let server: ServedPostgres;
/** Each is remembered by the server, with all that is behind it. */
let tokens: Readonly<Record<TokenFormat, string>>;
let keys: Readonly<Record<TokenFormat, KeyPair>>;

beforeAll(async () => {
  // What is remembered has not to be read again because this machine has much to do.
  server = await servePostgres({ MAX_STALENESS_MS: '60000' });
  const [paseto, jwt] = [await issue(server), await issue(server, { format: 'jwt' })];
  tokens = { paseto: paseto.secret, jwt: jwt.secret };
  keys = { paseto: await activeKeyOf(server, 'paseto'), jwt: await activeKeyOf(server, 'jwt') };
  expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
});
afterAll(() => server[Symbol.asyncDispose]());

const statusesOf = async (texts: Iterable<string>) => [...(await askMany(server.url, ME, texts))];

async function expectAllRefused(texts: Iterable<string>): Promise<void> {
  const all = [...texts];
  expect(all.length).toBeGreaterThan(0);
  expect(await statusesOf(all)).toEqual([[401, all.length]]);
  // What was refused has not taken the place of what is good.
  expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
}

function* every<T>(step: number, items: Iterable<T>): Generator<T> {
  let index = 0;
  for (const item of items) {
    if (index % step === 0) yield item;
    index += 1;
  }
}

function* bitFlips(token: string): Generator<string> {
  for (let place = 0; place < token.length; place += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = String.fromCharCode(token.charCodeAt(place) ^ (1 << bit));
      // What may not stand in a header never arrives.
      if (/[!-~\u0080-\u00ff]/.test(flipped)) yield token.slice(0, place) + flipped + token.slice(place + 1);
    }
  }
}

describe.each(TOKEN_FORMATS)('a %s token in use', (format) => {
  test('with any one bit flipped anywhere is refused', () =>
    expectAllRefused(every(STEP, bitFlips(tokens[format]))));

  test('is refused truncated at every length', () =>
    expectAllRefused(
      every(
        STEP,
        Array.from({ length: tokens[format].length - 1 }, (_, cut) => tokens[format].slice(0, cut + 1)),
      ),
    ));

  test('is refused with padding, other trailing bits, or more behind it', () => {
    const parts = tokens[format].split('.');
    return expectAllRefused(
      parts.flatMap((part, index) =>
        [
          `${part}=`,
          `${part}==`,
          `${part}A`,
          `${part}.`,
          ...[...ALPHABET]
            .map((last) => part.slice(0, -1) + last)
            .filter(
              (other) =>
                other !== part && Buffer.from(other, 'base64url').equals(Buffer.from(part, 'base64url')),
            ),
        ].map((spelling) => parts.with(index, spelling).join('.')),
      ),
    );
  });

  test('is refused with duplicate keys, an array, or an empty or non-UTF-8 payload, though it is signed', () => {
    const payload = payloadOf(tokens[format], format);
    const forgeries = [
      `${payload.slice(0, -1)},"sub":"1"}`,
      `{"sub":"1",${payload.slice(1)}`,
      `${payload.slice(0, -1)},"jti":"x"}`,
      `[${payload}]`,
      '[]',
      '{}',
      '',
      'null',
      Buffer.from(payload.replace('gatehouse', 'gate\u00ffhouse'), 'latin1'),
    ];
    return expectAllRefused(forgeries.map((forged) => forge(forged, format, keys[format])));
  });

  test('is refused without a required claim, or for another issuer, audience or kind, though it is signed', () => {
    const payload = JSON.parse(payloadOf(tokens[format], format));
    expect(forge(JSON.stringify(payload), format, keys[format])).toBe(tokens[format]);
    const lacking = Object.keys(payload).map((name) => ({ ...payload, [name]: undefined }));
    const wrong = [
      { iss: 'evil' },
      { aud: 'other-api' },
      { kind: 'sign-in' },
      { kind: 'admin' },
      { sub: '1000' },
    ];
    const forgeries = [...lacking, ...wrong.map((claims) => ({ ...payload, ...claims }))];
    return expectAllRefused(forgeries.map((forged) => forge(JSON.stringify(forged), format, keys[format])));
  });

  test('is refused under an unknown key id, or with the key id of the other format', async () => {
    const payload = payloadOf(tokens[format], format);
    const stranger = await createPasetoTokenSigner().generateKey();
    const other = keys[format === 'jwt' ? 'paseto' : 'jwt'];
    await expectAllRefused([
      forge(payload, format, stranger),
      forge(payload, format, { ...stranger, id: keys[format].id }),
      forge(payload, format, { ...keys[format], id: stranger.id }),
      forge(payload, format, other),
      forge(payload, format, { ...keys[format], id: other.id }),
    ]);
  });

  test('is refused in the other format, though it is signed with a key of that format', () => {
    const other = format === 'jwt' ? 'paseto' : 'jwt';
    return expectAllRefused([
      forge(payloadOf(tokens[format], format), other, keys[other]),
      forge(payloadOf(tokens[format], format), other, keys[format]),
    ]);
  });

  test('that was revoked is not revived by any re-encoding, nor by signing its id again', async () => {
    const { secret, record } = await issue(server, { format, expiry: { in: 3_600_000 } });
    expect(await statusesOf([secret])).toEqual([[200, 1]]);
    await execute(
      server.testDatabase.url,
      `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'x' where id = '${record.id}'`,
    );
    await expect.poll(() => statusesOf([secret]), { timeout: 1000 }).toEqual([[401, 1]]);
    const payload = payloadOf(secret, format);
    const { exp } = JSON.parse(payload);
    const later =
      typeof exp === 'number'
        ? String(exp + 60)
        : `"${new Date(Date.parse(exp) + 60_000).toISOString().replace('.000', '')}"`;
    const signedAgain = forge(payload.replace(JSON.stringify(exp), later), format, keys[format]);
    expect(signedAgain).not.toBe(secret);
    await expectAllRefused([secret, `${secret}=`, ` ${secret}`, secret.replace('.', '..'), signedAgain]);
    // It came as far as its record: only that stood in the way.
    const reasons = server.entries().filter(({ msg }) => msg === 'refused');
    expect(reasons.at(-1)).toMatchObject({ reason: 'revoked' });
  });
});

test('of PASETO, other versions and purposes are refused', () => {
  const payload = payloadOf(tokens.paseto, 'paseto');
  const headers = [
    'v1.public.',
    'v2.public.',
    'v3.public.',
    'v1.local.',
    'v4.local.',
    'V4.public.',
    'v4.PUBLIC.',
  ];
  return expectAllRefused(headers.map((header) => forgePaseto(payload, keys.paseto, header)));
});

describe('of JWT', () => {
  const sealedBy = (alg: string, signature: (signed: string) => Uint8Array) => {
    const signed = `${encode(jwtHeader(keys.jwt).replace('EdDSA', alg))}.${encode(payloadOf(tokens.jwt, 'jwt'))}`;
    return `${signed}.${encode(signature(signed))}`;
  };

  test('the algorithm none is refused in any case, signed or not', () => {
    const names = Array.from({ length: 16 }, (_, mask) =>
      [...'none'].map((letter, bit) => (mask & (1 << bit) ? letter.toUpperCase() : letter)).join(''),
    );
    return expectAllRefused(
      names.flatMap((alg) => [
        sealedBy(alg, () => new Uint8Array()),
        forgeJwt(payloadOf(tokens.jwt, 'jwt'), keys.jwt, jwtHeader(keys.jwt).replace('EdDSA', alg)),
      ]),
    );
  });

  test('a MAC keyed with the public key is refused, in whatever form that is published or written', async () => {
    const { json } = await call(server.url, '/.well-known/jwks.json');
    const [jwk] = (json as JwksAnswer).keys.filter(({ kid }) => kid === keys.jwt.id);
    if (!jwk?.x) return expect.fail('the key is not published');
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x } });
    const secrets = [
      Buffer.from(jwk.x, 'base64url'),
      jwk.x,
      JSON.stringify(jwk),
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
    ];
    await expectAllRefused(
      ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
        secrets.map((secret) =>
          sealedBy(alg, (signed) => createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest()),
        ),
      ),
    );
  });

  test('a key, or a way to one, that the token brings itself is never obeyed', async () => {
    const attacker = { ...(await createPasetoTokenSigner().generateKey()), id: keys.jwt.id };
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
    const headers = members.map((more) => JSON.stringify({ ...JSON.parse(jwtHeader(keys.jwt)), ...more }));
    const payload = payloadOf(tokens.jwt, 'jwt');
    await expectAllRefused(
      headers.flatMap((header) => [forgeJwt(payload, attacker, header), forgeJwt(payload, keys.jwt, header)]),
    );
  });

  test('RS256, ES256 and encrypted tokens are refused', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const encrypted = ['{"alg":"dir","enc":"A256GCM"}', '', 'iv', 'text', 'tag'].map(encode).join('.');
    await expectAllRefused([
      sealedBy('RS256', (signed) => sign('sha256', Buffer.from(signed), rsa)),
      sealedBy('ES256', (signed) =>
        sign('sha256', Buffer.from(signed), { key: ec, dsaEncoding: 'ieee-p1363' }),
      ),
      encrypted,
      [encode(jwtHeader(keys.jwt)), ...encrypted.split('.').slice(1)].join('.'),
    ]);
  });
});

test('a footer or a header of any size is refused, and costs no more than looking at its length', () => {
  const sizes = [100, 1_000, TOKEN_MAX_LENGTH, 10_000];
  return expectAllRefused(
    sizes.flatMap((size) => [
      `${tokens.paseto}${'A'.repeat(size)}`,
      `${encode(jwtHeader(keys.jwt) + ' '.repeat(size))}.${tokens.jwt.split('.').slice(1).join('.')}`,
    ]),
  );
});

/** For longer than what is unknown is believed to be unknown where nobody hears of changes. */
const FLOOD = sized({ short: { tokens: 2_000, ms: 1_200 }, full: { tokens: 200_000, ms: 30_000 } });

/** No two are alike, and each gets to another depth of the decision. */
function* garbage(): Generator<string> {
  const [start, end] = [tokens.paseto.slice(0, 30), tokens.paseto.slice(38)];
  const [header, payload, signature] = tokens.jwt.split('.') as [string, string, string];
  for (let serial = 0; ; serial += 1) {
    const text = serial.toString(36).padStart(8, 'A');
    const id = (keys.jwt.id.slice(0, -8) + text) as KeyPair['id'];
    yield `garbage-${text}`;
    yield `${start}${text}${end}`;
    yield `${tokens.paseto.slice(0, -30)}${text}`;
    yield `${header}.${payload}.${text}${signature.slice(8)}`;
    yield `${encode(jwtHeader({ id }))}.${payload}.${signature}`;
  }
}

function* flood(count: number, milliseconds: number): Generator<string> {
  const since = performance.now();
  let sent = 0;
  for (const token of garbage()) {
    if (sent >= count && performance.now() - since >= milliseconds) return;
    sent += 1;
    yield token;
  }
}

test('a flood of distinct garbage tokens is refused, and the database is not read for any', {
  timeout: FLOOD.tokens + 30_000,
}, async () => {
  const { resolve } = server.container;
  await vi.waitUntil(() => resolve(ChangeFeed).state().trusted);
  // One of each kind, after which the key ring is known; and the last uses of what was good are stored.
  await askMany(server.url, ME, flood(5, 0));
  await resolve(Usage).flush();
  const before = server.statements();
  const statuses = [...(await askMany(server.url, ME, flood(FLOOD.tokens, FLOOD.ms)))];
  const read = server.statements() - before;
  recordFigures('Q18', [
    { name: 'garbage tokens', measured: String(statuses[0]?.[1]) },
    { name: 'database reads', measured: String(read), bar: '0', holds: read === 0 },
  ]);
  expect(statuses).toEqual([[401, expect.any(Number)]]);
  expect(statuses[0]?.[1]).toBeGreaterThanOrEqual(FLOOD.tokens);
  expect(read).toBe(0);
});
