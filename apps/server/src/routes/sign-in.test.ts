import { signIn, UnavailableFault } from '@gatehouse/domain';
import {
  anEvent,
  aRevocation,
  createFakePasswordHasher,
  PASSWORD,
  type World,
} from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import { type Call, call, signInWith } from '../../testing/client.ts';
import { populate, suspend } from '../../testing/population.ts';
import { sendRaw } from '../../testing/raw-http.ts';
import { type ServeOptions, serveWorld } from '../../testing/serve-world.ts';

const PATH = '/api/v1/auth.json';
const GOOD = { email: 'ada@acme.example', password: PASSWORD };
const FORM = 'application/x-www-form-urlencoded';

async function serveSignIn(options: ServeOptions = {}) {
  const served = await serveWorld(options);
  const people = await populate(served.world);
  const post = (body: NonNullable<Call['body']>, type?: string, headers: Record<string, string> = {}) =>
    call(served.url, PATH, {
      method: 'POST',
      body,
      headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    });
  return { ...served, people, post };
}

/** The use case, with some of its ports replaced. */
const signInBy = (world: World, ports: Partial<World>) =>
  signIn({ ...world, format: 'paseto', lifetimeMs: 60_000, ...ports });

const problemOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => [
  status,
  (json as { type: string }).type.replace('urn:gatehouse:problem:', ''),
];

const multipart = (...parts: readonly (readonly [head: string, body: string | Uint8Array])[]) =>
  Buffer.concat([
    ...parts.flatMap(([head, body]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body as Uint8Array),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
const MULTIPART = 'multipart/form-data; boundary=b';

describe('POST /api/v1/auth.json', () => {
  it('trades email and password for a token that works', async () => {
    await using scene = await serveSignIn();
    const { status, headers, json } = await signInWith(scene.url, GOOD);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json).toEqual({ token: expect.any(String) });
    const { token } = json as { token: string };
    expect((await call(scene.url, '/api/v1/me.json', { token })).status).toBe(200);
  });

  it('takes JSON, a form, and multipart form data', async () => {
    await using scene = await serveSignIn();
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

  it('matches the email without regard to case, and the password exactly as sent', async () => {
    await using scene = await serveSignIn();
    expect((await signInWith(scene.url, { ...GOOD, email: 'ADA@Acme.Example' })).status).toBe(200);
    for (const password of [
      `${PASSWORD} `,
      ` ${PASSWORD}`,
      PASSWORD.toUpperCase(),
      `${PASSWORD}x`.repeat(10),
    ]) {
      expect((await signInWith(scene.url, { ...GOOD, password })).status).toBe(401);
    }
  });

  it('strips nothing from a value, a byte order mark neither', async () => {
    await using scene = await serveSignIn();
    const password = `\ufeff${PASSWORD}`;
    const { email } = GOOD;
    const parts = multipart(['name="email"', email], ['name="password"', password]);
    expect((await scene.post(parts, MULTIPART)).status).toBe(401);
    expect((await scene.post(new URLSearchParams({ email, password }))).status).toBe(401);
    expect((await scene.post(`\ufeffpassword=${PASSWORD}&email=${email}`, FORM)).json).toMatchObject({
      errors: [{ field: 'password', message: 'is required' }],
    });
  });

  it('counts the last of a repeated member, and no other member', async () => {
    await using scene = await serveSignIn();
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

  it('needs no token, and makes nothing of one', async () => {
    await using scene = await serveSignIn();
    for (const headers of [{ authorization: 'Bearer garbage' }, { authorization: 'Basic x' }]) {
      expect((await signInWith(scene.url, GOOD, { headers })).status).toBe(200);
    }
  });

  it('says nothing on why credentials are not accepted', async () => {
    await using scene = await serveSignIn();
    const { world, people } = scene;
    const answers = [
      await signInWith(scene.url, { ...GOOD, email: 'nobody@acme.example' }),
      await signInWith(scene.url, { ...GOOD, email: 'no email at all' }),
      await signInWith(scene.url, { ...GOOD, password: 'wrong' }),
    ];
    await world.users.disable(people.member.id, aRevocation(), anEvent());
    answers.push(await signInWith(scene.url, { ...GOOD, email: people.member.email }));
    await suspend(world, people.account);
    answers.push(await signInWith(scene.url, GOOD));

    for (const answer of answers) {
      expect(problemOf(answer)).toEqual([401, 'credentials-not-accepted']);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="gatehouse"');
    }
    expect(answers).toHaveLength(5);
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
    await using scene = await serveSignIn();
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
  ])('that is not read is refused: %s', async (type) => {
    await using scene = await serveSignIn();
    expect(problemOf(await scene.post(JSON.stringify(GOOD), type))).toEqual([415, 'unsupported-media-type']);
  });

  it('that is missing is refused', async () => {
    await using scene = await serveSignIn();
    const body = JSON.stringify(GOOD);
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await sendRaw(scene.url, head + body)).toMatchObject([{ status: 415 }]);
    const empty = await sendRaw(scene.url, `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(empty).toMatchObject([{ status: 415 }]);
  });

  it('does not help a compressed body', async () => {
    await using scene = await serveSignIn();
    const body = JSON.stringify(GOOD);
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
      const headers = { 'content-encoding': encoding };
      expect((await scene.post(body, 'application/json', headers)).status).toBe(415);
    }
    expect((await scene.post(body, 'application/json', { 'content-encoding': 'identity' })).status).toBe(200);
  });
});

describe('fields that are not valid', () => {
  const long = (length: number) => 'x'.repeat(length);

  it.each<[string, unknown, readonly string[]]>([
    ['no object', '[]', ['body must be an object']],
    ['null', 'null', ['body must be an object']],
    ['text', '"email"', ['body must be an object']],
    ['a number', '1', ['body must be an object']],
    ['nothing in it', '{}', ['email is required', 'password is required']],
    ['empty fields', { email: '', password: '' }, ['email must not be empty', 'password must not be empty']],
    ['a list', { ...GOOD, email: ['a'] }, ['email must be a string']],
    ['an operator', { ...GOOD, password: { $gt: '' } }, ['password must be a string']],
    ['null for a field', { ...GOOD, email: null }, ['email must be a string']],
    ['a long email', { ...GOOD, email: long(321) }, ['email must be at most 320 characters long']],
    ['a long password', { ...GOOD, password: long(1025) }, ['password must be at most 1024 characters long']],
    ['U+0000', { ...GOOD, email: 'a\u0000' }, ['email must not hold U+0000 or a lone surrogate']],
    [
      'a lone surrogate',
      '{"email":"a","password":"\\ud800"}',
      ['password must not hold U+0000 or a lone surrogate'],
    ],
  ])('are named: %s', async (_, body, messages) => {
    await using scene = await serveSignIn();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await scene.post(text, 'application/json');
    expect(answer.json).toEqual({
      type: 'urn:gatehouse:problem:invalid-input',
      title: 'The body has fields that are not valid.',
      status: 422,
      errors: messages.map((line) => ({
        field: line.split(' ')[0],
        message: line.split(' ').slice(1).join(' '),
      })),
    });
    expect(answer.status).toBe(422);
  });

  it('are named in forms too, where a file is no text', async () => {
    await using scene = await serveSignIn();
    expect((await scene.post('email=a', FORM)).status).toBe(422);
    expect((await scene.post('', FORM)).status).toBe(422);
    expect((await scene.post('email=a&password=%00', FORM)).status).toBe(422);
    const file = multipart(['name="email"; filename="a"', 'a'], ['name="password"', 'b']);
    expect((await scene.post(file, MULTIPART)).json).toMatchObject({
      errors: [{ field: 'email', message: 'must be a string' }],
    });
  });
});

describe('a body over 16 KiB', () => {
  const head = (more: string) =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n${more}\r\n\r\n`;
  const padded = (size: number) => JSON.stringify(GOOD).padEnd(size);

  it('is refused, one of 16 KiB is not', async () => {
    await using scene = await serveSignIn();
    expect((await scene.post(padded(16_384), 'application/json')).status).toBe(200);
    expect(problemOf(await scene.post(padded(16_385), 'application/json'))).toEqual([413, 'body-too-large']);
  });

  it('is refused just so when it comes in chunks', async () => {
    await using scene = await serveSignIn();
    const chunks = (size: number) =>
      new ReadableStream({
        start(controller) {
          const bytes = Buffer.from(padded(size));
          for (let at = 0; at < size; at += 1000) controller.enqueue(bytes.subarray(at, at + 1000));
          controller.close();
        },
      });
    const post = (size: number) =>
      fetch(`${scene.url}${PATH}`, {
        method: 'POST',
        body: chunks(size),
        headers: { 'content-type': 'application/json' },
        duplex: 'half',
      });
    expect((await post(16_384)).status).toBe(200);
    expect((await post(16_385)).status).toBe(413);
  });

  it('is refused at once by its announced length, and while it still comes', async () => {
    await using scene = await serveSignIn();
    expect(await sendRaw(scene.url, head('Content-Length: 1000000000'))).toMatchObject([{ status: 413 }]);
    const chunk = `4100\r\n${' '.repeat(0x4100)}\r\n`;
    const endless = await sendRaw(scene.url, head('Transfer-Encoding: chunked') + chunk);
    expect(endless).toMatchObject([{ status: 413 }]);
  });

  it('does not keep a client that goes on sending from reading the answer', async () => {
    await using scene = await serveSignIn();
    const password = 'x'.repeat(1_000_000);
    expect((await signInWith(scene.url, { ...GOOD, password })).status).toBe(413);
  });
});

describe('before anything is hashed', () => {
  it('everything else has been looked at', async () => {
    let hashes = 0;
    const passwords = createFakePasswordHasher();
    const counting = {
      ...passwords,
      verify: (...args: Parameters<typeof passwords.verify>) => {
        hashes += 1;
        return passwords.verify(...args);
      },
    };
    await using scene = await serveSignIn({
      replace: (world) => ({ signIn: signInBy(world, { passwords: counting }) }),
    });
    const refused = [
      await scene.post('{', 'application/json'),
      await scene.post('{}', 'application/json'),
      await scene.post(JSON.stringify(GOOD), 'text/plain'),
      await scene.post(JSON.stringify({ ...GOOD, password: 'x'.repeat(1_000_000) }), 'application/json'),
      await scene.post(JSON.stringify({ ...GOOD, password: 'x'.repeat(1025) }), 'application/json'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 422, 415, 413, 422]);
    expect(hashes).toBe(0);
    await signInWith(scene.url, GOOD);
    expect(hashes).toBe(1);
  });

  it('attempts are limited, and the answer says when to try again', async () => {
    await using scene = await serveSignIn();
    for (let count = 0; count < 100; count += 1) {
      await signInWith(scene.url, { ...GOOD, password: 'wrong' });
    }
    const answer = await signInWith(scene.url, GOOD);
    expect(problemOf(answer)).toEqual([429, 'too-many-attempts']);
    expect(answer.headers.get('retry-after')).toBe('900');
  });
});

describe('when it cannot be done now', () => {
  it('a limit of hashing is 503, with the moment to try again', async () => {
    const passwords = createFakePasswordHasher({ concurrency: 0 });
    await using scene = await serveSignIn({
      replace: (world) => ({ signIn: signInBy(world, { passwords }) }),
    });
    const answer = await signInWith(scene.url, GOOD);
    expect(problemOf(answer)).toEqual([503, 'overloaded']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('so is a key that is not there, and what is not there is in the log', async () => {
    await using scene = await serveSignIn({
      replace: () => ({
        signIn: async () => ({ ok: false, error: { code: 'no_active_key', format: 'jwt' } }),
      }),
    });
    const answer = await signInWith(scene.url, GOOD);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(scene.entries()).toMatchObject([{ outcome: 'no_active_key' }]);
  });

  it('so is a database that is away', async () => {
    await using scene = await serveSignIn({
      replace: () => ({
        signIn: async () => {
          throw new UnavailableFault('the database cannot be reached');
        },
      }),
    });
    const answer = await signInWith(scene.url, GOOD);
    expect([...problemOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  });
});

describe('the log', () => {
  it('has every outcome, under the id of the request, and never a password or a token', async () => {
    await using scene = await serveSignIn();
    const headers = { 'x-request-id': 'my-request' };
    const { json } = await signInWith(scene.url, GOOD, { headers });
    await signInWith(scene.url, { ...GOOD, password: 'a wrong password\r\n{"level":"fatal"}' }, { headers });
    await signInWith(scene.url, { email: 'my secret password', password: 'x' }, { headers });
    const common = { request_id: 'my-request', address: '127.0.0.1', msg: 'sign-in', level: 'info' };
    expect(scene.entries()).toMatchObject([
      { ...common, outcome: 'accepted', email: GOOD.email },
      { ...common, outcome: 'credentials_not_accepted', email: GOOD.email },
      { ...common, outcome: 'credentials_not_accepted', email: null },
    ]);
    const written = scene.lines.join('');
    for (const secret of [PASSWORD, 'wrong password', 'my secret', (json as { token: string }).token]) {
      expect(written).not.toContain(secret);
    }
    expect(scene.lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });
});
