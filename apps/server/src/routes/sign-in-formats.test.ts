import { GOOD, PASSWORD } from '@gatehouse/domain/testing';
import { sendRaw } from '@gatehouse/front/testing';
import { MULTIPART, multipart } from '@gatehouse/http/testing';
import { describe, expect, it } from 'vitest';
import { type Call, FORM, problemOf, SIGN_IN_PATH } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

describe('POST /api/v1/auth.json', () => {
  it('accepts JSON, a form, and multipart form data', async () => {
    await using scene = await startTestServer();
    const data = new FormData();
    for (const [name, value] of Object.entries(GOOD)) data.set(name, value);
    const bodies: readonly (readonly [NonNullable<Call['body']>, string?])[] = [
      [JSON.stringify(GOOD), 'application/json'],
      [JSON.stringify(GOOD), 'Application/JSON; charset="UTF-8"; v=1'],
      [`\ufeff${JSON.stringify(GOOD)}`, 'application/json'],
      [new URLSearchParams(GOOD)],
      ['email=ada@acme.example&password=correct+horse%20battery&', FORM],
      [data],
      [multipart(['name="email"', GOOD.email], ['name="password"', GOOD.password]), MULTIPART],
    ];
    for (const [body, type] of bodies) expect((await scene.post(body, type)).status).toBe(200);
  });

  it('strips nothing from a value, not even a byte order mark', async () => {
    await using scene = await startTestServer();
    const password = `\ufeff${PASSWORD}`;
    const { email } = GOOD;
    const parts = multipart(['name="email"', email], ['name="password"', password]);
    expect((await scene.post(parts, MULTIPART)).status).toBe(401);
    expect((await scene.post(new URLSearchParams({ email, password }))).status).toBe(401);
    expect((await scene.post(`\ufeffpassword=${PASSWORD}&email=${email}`, FORM)).json).toMatchObject({
      errors: [{ field: 'password', message: 'is required' }],
    });
  });

  it('uses the last of a repeated member, and ignores other members', async () => {
    await using scene = await startTestServer();
    const more = '"role":"admin","userId":1,"__proto__":{"admin":true},"constructor":1';
    const json = `{"password":"wrong","email":"x",${more},"email":"${GOOD.email}","password":"${PASSWORD}"}`;
    const form = `email=x&password=wrong&role=admin&__proto__=1&email=${GOOD.email}&password=${PASSWORD}`;
    const parts = multipart(
      ['name="password"', 'wrong'],
      ['name="photo"; filename="a.png"', Uint8Array.of(0xff, 0xfe, 0)],
      ['name="email"', GOOD.email],
      ['name="password"', PASSWORD],
    );
    expect((await scene.post(json, 'application/json')).status).toBe(200);
    expect((await scene.post(form, FORM)).status).toBe(200);
    expect((await scene.post(parts, MULTIPART)).status).toBe(200);
    expect((await scene.post(`${form}&password=wrong`, FORM)).status).toBe(401);
  });
});

describe('a body that is not what its content type says', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['malformed JSON', 'application/json', '{"email":'],
    ['a form called JSON', 'application/json', 'email=a&password=b'],
    ['empty JSON', 'application/json', ''],
    ['JSON that is not UTF-8', 'application/json', Buffer.from('{"email":"\xff","password":"x"}', 'latin1')],
    ['JSON in UTF-16', 'application/json', Buffer.from(JSON.stringify(GOOD), 'utf16le')],
    ['a form that is not UTF-8', FORM, Buffer.from('email=a&password=\xff', 'latin1')],
    ['a form with bytes that are not UTF-8', FORM, 'email=a&password=%ff'],
    ['a form with an encoded surrogate', FORM, 'email=a&password=%ED%A0%80'],
    ['a form with broken percent-encoding', FORM, 'email=a&password=%zz'],
    ['multipart without a boundary', 'multipart/form-data', multipart(['name="email"', 'a'])],
    ['multipart with another boundary', 'multipart/form-data; boundary=c', multipart(['name="email"', 'a'])],
    ['multipart that ends early', MULTIPART, multipart(['name="email"', 'a']).subarray(0, -10)],
    ['empty multipart', MULTIPART, ''],
    [
      'multipart with more behind a delimiter',
      MULTIPART,
      multipart(['name="email"', 'a'], ['name="password"', `a\r\n--bX\r\nb`]),
    ],
    ['multipart that begins with more behind a delimiter', MULTIPART, '--bX\r\nA: b\r\n\r\na\r\n--b--\r\n'],
    ['multipart that is not UTF-8', MULTIPART, multipart(['name="email"', Uint8Array.of(0xff)])],
  ])('is refused: %s', async (_, type, body) => {
    await using scene = await startTestServer();
    expect(problemOf(await scene.post(body as NonNullable<Call['body']>, type))).toEqual([
      400,
      'malformed-body',
    ]);
  });
});

describe('a content type', () => {
  it.each([
    'text/plain',
    'text/json',
    'application/vnd.api+json',
    'application/xml',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=latin1',
    'multipart/mixed; boundary=b',
    'application/octet-stream',
    'json',
    '__proto__/x',
    'application/json, text/plain',
  ])('that is not supported is refused: %s', async (type) => {
    await using scene = await startTestServer();
    expect(problemOf(await scene.post(JSON.stringify(GOOD), type))).toEqual([415, 'unsupported-media-type']);
  });

  it('that is missing is refused, with a body or without', async () => {
    await using scene = await startTestServer();
    const head = `POST ${SIGN_IN_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const body = JSON.stringify(GOOD);
    for (const rest of [`Content-Length: ${body.length}\r\n\r\n${body}`, '\r\n']) {
      expect(await sendRaw(scene.url, head + rest)).toMatchObject([{ status: 415 }]);
    }
  });

  it('does not make a compressed body acceptable', async () => {
    await using scene = await startTestServer();
    const body = JSON.stringify(GOOD);
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
      const headers = { 'content-encoding': encoding };
      expect((await scene.post(body, 'application/json', headers)).status).toBe(415);
    }
    expect((await scene.post(body, 'application/json', { 'content-encoding': 'identity' })).status).toBe(200);
  });
});
