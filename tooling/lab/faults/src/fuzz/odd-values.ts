import fc from 'fast-check';

/** Invalid path parameters. */
export const ODD_IDS: readonly string[] = [
  ...['0', '-1', '01', '+1', '1.0', '1e3', '0x1', '1.json', '1,2', '1;a=b', 'null', 'NaN', '__proto__', '*'],
  ...['2147483648', '9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808'],
  ...['%D9%A3', '\u00d9\u00a3', '1%00', '%00', '1%2F2', '%2e%2e', '..', '.', '%', '%ZZ', '1%', '%C0%80'],
  ...['%ff', "1'--", "1')--", '%31', '1%20', '{id}', '[1]', '1\\', '"', '', '1'.repeat(400)],
  ...['1'.repeat(17_000)],
];

/** Values of any type, and unusual strings. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, '', ' ', [], {}, ['a'], [[]], { $gt: '' }),
  fc.constantFrom<unknown>({ toString: 'x' }, { length: 5 }, [null], { email: 'a' }, Number.MAX_SAFE_INTEGER),
  fc.constantFrom(
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\r\nSet-Cookie: a=b',
    "' or 1=1 --",
    '{{7*7}}',
    '\u202e',
  ),
  fc.integer({ min: 300, max: 20_000 }).map((length) => 'x'.repeat(length)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Names of members with a meaning elsewhere. */
export const ODD_NAMES: readonly string[] = [
  ...['role', 'userId', 'user_id', 'account', 'scopes', 'admin', 'is_admin', 'grant_type', '$where'],
  ...['email[]', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' email'],
  ...['EMAIL', 'e\u0301'],
];

/** Bytes that are not text in any known encoding. */
export const oddBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      ...['c080', 'eda080', 'ff', 'f4908080', 'e28c', '22ff22', 'efbbbf7b7d', 'fffe7b00'],
      ...['7b2261223a22ff227d'],
    )
    .map((hex) => Buffer.from(hex, 'hex')),
  fc
    .constantFrom(
      ...['{', '[', '"', '{"email":', '{"email":1}}', '{}{}', 'nul', '01', '{"a":1,}', "{'a':1}", '//'],
      ...['NaN', ''],
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom('[', '{"a":', '"').map((text) => Buffer.from(text.repeat(3000))),
  fc.integer({ min: 16_000, max: 40_000 }).map((length) => Buffer.alloc(length, 'x')),
);

export const ODD_CONTENT_TYPES: readonly string[] = [
  ...['text/plain', 'text/json', 'application/xml', 'application/octet-stream', 'application/problem+json'],
  ...['*/*', '', 'application/json; charset=utf-16', 'application/json;charset='],
  ...['application/json, text/plain', 'json', ';', 'APPLICATION/JSON', 'application/json; charset=UTF-8'],
  ...['application/json;', 'application/ json', 'a/b/c', 'multipart/form-data'],
  ...['multipart/form-data; boundary=', 'multipart/form-data; boundary="', 'multipart/mixed'],
  ...[`multipart/form-data; boundary=${'b'.repeat(500)}`],
  ...['application/x-www-form-urlencoded; charset=latin1'],
];

/** Optional header fields, each a name and a value. */
export const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Accept', 'text/html'],
  ['Accept', '\u00ff'],
  ['Accept-Encoding', 'gzip, br;q=0'],
  ['X-Forwarded-For', '203.0.113.9, x'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="[2001:db8::1]"'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/metrics'],
  ['Cookie', 'session=x; __proto__=y'],
  ['Origin', 'null'],
  ['Range', 'bytes=0-0'],
  ['If-Match', '*'],
  ['If-Modified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ['Expect', 'tea'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, X-Request-Id'],
  ['Upgrade', 'h2c'],
  ['Upgrade', 'websocket'],
  ['TE', 'trailers'],
  ['Trailer', 'Authorization'],
  ['Max-Forwards', '0'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Padding', 'x'.repeat(15_000)],
  ['X-Padding', 'x'.repeat(17_000)],
  ['X-Null', 'a\u0000b'],
  ['X-Return', 'a\rb'],
  ['X Space', 'x'],
  ['', 'x'],
  ['X-Latin', '\u00e9\u00ff'],
  ['Proxy-Authorization', 'Bearer x'],
];
