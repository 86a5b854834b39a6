import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clearCookie, readCookie, setCookie } from './cookies.ts';

const SECURE = { origin: 'https://gatehouse.example', isSecure: true };
const LOCAL = { origin: 'http://localhost:8080', isSecure: false };

const sessionIn = (...fields: readonly string[]) =>
  readCookie(
    { rawHeaders: fields.flatMap((field) => ['Cookie', field]) } as IncomingMessage,
    LOCAL,
    'session',
  );

test('a cookie belongs to this host and browser alone, and is sent by https only where there is https', () => {
  expect(setCookie(SECURE, 'session', 'x')).toEqual([
    'set-cookie',
    '__Host-gatehouse=x; Path=/; HttpOnly; SameSite=Lax; Secure',
  ]);
  expect(setCookie(LOCAL, 'session', 'x')).toEqual([
    'set-cookie',
    'gatehouse=x; Path=/; HttpOnly; SameSite=Lax',
  ]);
  expect(clearCookie(SECURE, 'notice')[1]).toMatch(/^__Host-gatehouse-notice=; .*; Secure; Max-Age=0$/);
});

test('a cookie is found among others', () => {
  expect(sessionIn('gatehouse=secret-1')).toBe('secret-1');
  expect(sessionIn('a=b; gatehouse=secret-1;c=d')).toBe('secret-1');
  expect(sessionIn('a=b', 'gatehouse=secret-1; gatehouse-visit=x; agatehouse=y')).toBe('secret-1');
  expect(sessionIn('a=b;\t gatehouse=secret-1')).toBe('secret-1');
});

test.each([
  ['two of one name', ['gatehouse=a; gatehouse=b']],
  ['the same one twice', ['gatehouse=a; gatehouse=a']],
  ['two in two fields', ['gatehouse=a', 'gatehouse=b']],
  ['one that is empty', ['gatehouse=']],
  ['one in quotes', ['gatehouse="a"']],
  ['one with a percent-encoding', ['gatehouse=a%20']],
  ['one with a comma', ['gatehouse=a,b']],
  ['one with what is not ASCII', ['gatehouse=ä']],
  ['one that is too long', [`gatehouse=${'a'.repeat(3801)}`]],
  ['another name', ['Gatehouse=a; gatehouse =b; __Host-gatehouse=c']],
])('%s is none', (_, fields) => {
  expect(sessionIn(...fields)).toBeUndefined();
});

test('where there is https, a cookie that a subdomain or plain HTTP could have set is none', () => {
  const secure = (field: string) =>
    // Only the header fields of a request are read.
    readCookie({ rawHeaders: ['Cookie', field] } as unknown as IncomingMessage, SECURE, 'session');
  expect(secure('gatehouse=planted')).toBeUndefined();
  // To a browser these names do not begin with `__Host-`, so any host of the domain may set them.
  for (const before of ['\u00a0', '\ufeff', '\u000b', '\u0085', '\u00e2\u0080\u0080']) {
    expect(secure(`a=b; ${before}__Host-gatehouse=planted`)).toBeUndefined();
  }
  expect(secure('a=b; __Host-gatehouse=own')).toBe('own');
});
