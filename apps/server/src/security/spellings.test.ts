import { openRaw, sendRaw } from '@gatehouse/front/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORM, ME, SIGN_IN_PATH } from '../../testing/client.ts';
import { exampleOf, routesOf, targetOf } from '../../testing/examples.ts';
import { type ServedSurface, serveSurface } from '../../testing/surface.ts';

let server: ServedSurface;

beforeAll(async () => {
  server = await serveSurface();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('an id in a path', () => {
  const ARABIC = '٠١٢٣٤٥٦٧٨٩';
  const FULL_WIDTH = '０１２３４５６７８９';
  const inDigits = (id: number, digits: string) =>
    encodeURIComponent([...String(id)].map((digit) => digits[Number(digit)]).join(''));

  /** Texts that could be mistaken for this id. */
  const spellings = (id: number) => [
    ...[
      `0${id}`,
      `+${id}`,
      `-${id}`,
      `${id}.0`,
      `${id}.`,
      `${id}e0`,
      `0x${id.toString(16)}`,
      `0b${id.toString(2)}`,
    ],
    ...[`${id}n`, `${id}_`, `${id},`, `${id};a=b`, `${id}:`, `${id}'`, `(${id})`, `${id}--`, `${id}.json`],
    ...[
      `%20${id}`,
      `${id}%20`,
      `${id}%09`,
      `${id}%0A`,
      `${id}%00`,
      `%00${id}`,
      `${id}%2F2`,
      `2%2F${id}`,
      `${id}%2f..`,
    ],
    ...[`${id}%23`, `${id}%3F`, `${id}%3Ba`, `%3${id}`, inDigits(id, ARABIC), inDigits(id, FULL_WIDTH)],
    ...[31n, 32n, 53n, 63n, 64n, 128n].map((bits) => String(2n ** bits + BigInt(id))),
    ...[32n, 53n, 63n, 64n].map((bits) => String(BigInt(id) - 2n ** bits)),
    `${'0'.repeat(400)}${id}`,
    `${id}${'0'.repeat(400)}`,
  ];
  const PLACE = 'place-of-the-id';
  const STRANGE = [
    '0',
    '-0',
    '-1',
    '1e3',
    '01',
    '+1',
    '9007199254740993',
    '9223372036854775808',
    'NaN',
    'Infinity',
  ];

  test('is that of one organization in one spelling: no other finds one, another’s least of all, or breaks anything', async () => {
    const known = await Promise.all(
      server.ids.map(async (id) => (await server.get(`/api/v1/orgs/${id}`)).status),
    );
    expect(known).toEqual([200, 200, 200, 404]);
    // The parameters of each path, one at a time.
    const paths = routesOf(server.facts).flatMap((route) => {
      const { params = {} } = exampleOf(server.facts, route, 'success') ?? {};
      return Object.keys(params).map((name) => targetOf(route, { params: { ...params, [name]: PLACE } }));
    });
    expect(paths.length).toBeGreaterThan(1);
    for (const text of [
      ...server.ids.flatMap(spellings),
      ...STRANGE,
      '9'.repeat(400),
      server.ids.join(),
      server.ids.join('%2C'),
    ]) {
      for (const path of paths) {
        const { status } = await server.get(path.replace(PLACE, () => text));
        expect([400, 404], `${path} ${text}`).toContain(status);
      }
    }
  });
});

describe('NUL, lone surrogates and invalid UTF-8', () => {
  const BYTES = {
    NUL: [0],
    'a byte that is none': [0xff],
    'an overlong character': [0xc0, 0xaf],
    'a surrogate': [0xed, 0xa0, 0x80],
    'half a character': [0xe2, 0x82],
    'beyond the last character': [0xf4, 0x90, 0x80, 0x80],
  } as const;
  const percent = (bytes: readonly number[]) =>
    bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const raw = (bytes: readonly number[]) => String.fromCharCode(...bytes);
  const multipart = (email: string) =>
    `--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n${email}\r\n--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--b--\r\n`;

  /** Requests with this in each place that is read, each written byte by byte. */
  const requests = (bytes: readonly number[]) => {
    const body = (type: string, content: string) =>
      `POST ${SIGN_IN_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
    const headed = (target: string, lines: string) =>
      `GET ${target} HTTP/1.1\r\nConnection: close\r\n${lines}\r\n\r\n`;
    const bearer = `Authorization: Bearer ${server.token}`;
    return {
      path: headed(`/api/v1/orgs/1${percent(bytes)}`, `Host: x\r\n${bearer}`),
      'path, as it is': headed(`/api/v1/orgs/1${raw(bytes)}`, `Host: x\r\n${bearer}`),
      token: headed(ME, `Host: x\r\n${bearer}${raw(bytes)}`),
      'token, in the middle': headed(
        ME,
        `Host: x\r\nAuthorization: Bearer ${server.token.slice(0, 40)}${raw(bytes)}${server.token.slice(40)}`,
      ),
      host: headed(ME, `Host: x${raw(bytes)}\r\n${bearer}`),
      JSON: body('application/json', `{"email":"a@b${raw(bytes)}","password":"x"}`),
      'JSON, its password': body('application/json', `{"email":"a","password":"x${raw(bytes)}"}`),
      form: body(FORM, `email=a@b${percent(bytes)}&password=x`),
      'form, as it is': body(FORM, `email=a@b${raw(bytes)}&password=x`),
      'multipart form data': body('multipart/form-data; boundary=b', multipart(`a@b${raw(bytes)}`)),
    };
  };

  test.each(Object.entries(BYTES))('are refused wherever they are read: %s', async (_, bytes) => {
    for (const [place, request] of Object.entries(requests(bytes))) {
      const [reply] = await sendRaw(server.url, Buffer.from(request, 'latin1'));
      expect([400, 401, 404, 422], `${place}: ${reply?.status}`).toContain(reply?.status);
    }
  });

  test.each(['\\u0000', '\\ud800', '\\udc00', '\\ud800x', '\\udfff\\ud800'])(
    'are refused escaped: %s',
    async (escaped) => {
      for (const body of [
        `{"email":"a@b${escaped}","password":"x"}`,
        `{"email":"a","password":"x${escaped}"}`,
      ]) {
        expect((await server.post(body)).status).toBe(422);
      }
      expect((await server.post(`{"email":"a","password":"${'x'.repeat(12)}","${escaped}":1}`)).status).toBe(
        401,
      );
    },
  );

  test('break nothing where nothing is read', async () => {
    for (const bytes of Object.values(BYTES)) {
      for (const name of ['X-Request-Id', 'If-None-Match', 'X-Forwarded-For', 'Origin', 'Cookie', 'Accept']) {
        using connection = await openRaw(server.url);
        const head = `GET ${ME} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n${name}: a${raw(bytes)}\r\n\r\n`;
        connection.write(Buffer.from(head, 'latin1'));
        const [reply] = await connection.replies(1);
        // A NUL may stand in no header.
        expect(reply?.status).toBe(bytes[0] === 0 ? 400 : 200);
      }
    }
  });
});
