import { TOKEN_FORMATS, TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';
import { sized } from '@gatehouse/fault-figures';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedTokens, serveTokens } from '../../testing/accepted-tokens.ts';
import { execute } from '../../testing/execute.ts';
import { forge, forgeJwt, forgePaseto, jwtHeader, pasetoFooter, payloadOf } from '../../testing/forge.ts';
import { issue } from '../../testing/issue.ts';

// The contract suite of signers tries every bit. Here the same attacks arrive at a whole server.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A short run tries one in this many ways to damage a token. */
const STEP = sized({ short: 11, full: 1 });

let server: ServedTokens;

beforeAll(async () => {
  server = await serveTokens();
});
afterAll(() => server[Symbol.asyncDispose]());

/** The number of refused requests. All of them are counted, though not all are logged. */
async function refusals(reason: string): Promise<number> {
  const metrics = await fetch(`${server.opsUrl}/metrics`).then((response) => response.text());
  return Number(new RegExp(`^gatehouse_refusals_total{reason="${reason}"} (\\d+)$`, 'm').exec(metrics)?.[1]);
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
      // Characters that a header may not have never arrive.
      if (/[!-~\u0080-\u00ff]/.test(flipped)) yield token.slice(0, place) + flipped + token.slice(place + 1);
    }
  }
}

describe.each(TOKEN_FORMATS)('a %s token in use', (format) => {
  test('with any one bit flipped anywhere is refused', () =>
    server.expectAllRefused(every(STEP, bitFlips(server.tokens[format]))));

  test('is refused truncated at every length', () =>
    server.expectAllRefused(
      every(
        STEP,
        Array.from({ length: server.tokens[format].length - 1 }, (_, cut) =>
          server.tokens[format].slice(0, cut + 1),
        ),
      ),
    ));

  test('is refused with padding, other trailing bits, or more behind it', () => {
    const parts = server.tokens[format].split('.');
    return server.expectAllRefused(
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
    const payload = payloadOf(server.tokens[format], format);
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
    return server.expectAllRefused(forgeries.map((forged) => forge(forged, format, server.keys[format])));
  });

  test('is refused without a required claim, or for another issuer, audience or kind, though it is signed', () => {
    const payload = JSON.parse(payloadOf(server.tokens[format], format));
    expect(forge(JSON.stringify(payload), format, server.keys[format])).toBe(server.tokens[format]);
    const lacking = Object.keys(payload).map((name) => ({ ...payload, [name]: undefined }));
    const wrong = [
      { iss: 'evil' },
      { aud: 'other-api' },
      { kind: 'sign-in' },
      { kind: 'admin' },
      { sub: '1000' },
    ];
    const forgeries = [...lacking, ...wrong.map((claims) => ({ ...payload, ...claims }))];
    return server.expectAllRefused(
      forgeries.map((forged) => forge(JSON.stringify(forged), format, server.keys[format])),
    );
  });

  test('is refused under an unknown key id, or with the key id of the other format', async () => {
    const payload = payloadOf(server.tokens[format], format);
    const foreignKey = await createPasetoTokenSigner().generateKey();
    const other = server.keys[format === 'jwt' ? 'paseto' : 'jwt'];
    await server.expectAllRefused([
      forge(payload, format, foreignKey),
      forge(payload, format, { ...foreignKey, id: server.keys[format].id }),
      forge(payload, format, { ...server.keys[format], id: foreignKey.id }),
      forge(payload, format, other),
      forge(payload, format, { ...server.keys[format], id: other.id }),
    ]);
  });

  test('is refused in the other format, though it is signed with a key of that format', () => {
    const other = format === 'jwt' ? 'paseto' : 'jwt';
    return server.expectAllRefused([
      forge(payloadOf(server.tokens[format], format), other, server.keys[other]),
      forge(payloadOf(server.tokens[format], format), other, server.keys[format]),
    ]);
  });

  test('that was revoked is not revived by any re-encoding, nor by signing its id again', async () => {
    const { secret, record } = await issue(server, { format, expiry: { in: 3_600_000 } });
    expect(await server.statusesOf([secret])).toEqual([[200, 1]]);
    await execute(
      server.database.url,
      `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'x' where id = '${record.id}'`,
    );
    await expect.poll(() => server.statusesOf([secret]), { timeout: 1000 }).toEqual([[401, 1]]);
    const payload = payloadOf(secret, format);
    const { exp } = JSON.parse(payload);
    const later =
      typeof exp === 'number'
        ? String(exp + 60)
        : `"${new Date(Date.parse(exp) + 60_000).toISOString().replace('.000', '')}"`;
    const signedAgain = forge(payload.replace(JSON.stringify(exp), later), format, server.keys[format]);
    expect(signedAgain).not.toBe(secret);
    await server.expectAllRefused([secret, `${secret}=`, ` ${secret}`, secret.replace('.', '..')]);
    const before = await refusals('revoked');
    await server.expectAllRefused([signedAgain]);
    // It came as far as its record: only that stood in the way.
    expect(await refusals('revoked')).toBe(before + 1);
  });
});

test('a footer or a header with more in it is refused, whatever its length, though it is signed', () => {
  const { paseto, jwt } = server.keys;
  const [payload, claims] = [payloadOf(server.tokens.paseto, 'paseto'), payloadOf(server.tokens.jwt, 'jwt')];
  const sizes = [1, 100, 1_000, TOKEN_MAX_LENGTH, 10_000];
  return server.expectAllRefused(
    sizes.flatMap((size) => [
      `${server.tokens.paseto}${'A'.repeat(size)}`,
      forgePaseto(payload, paseto, undefined, pasetoFooter(paseto) + ' '.repeat(size)),
      forgeJwt(claims, jwt, jwtHeader(jwt) + ' '.repeat(size)),
    ]),
  );
});
