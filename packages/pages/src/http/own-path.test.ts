import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test.each([
  '/',
  '/settings/api',
  '/settings/api/new?name=ERP&scope=orgs:read&expires_in=90d',
  '/settings/api?q=%E2%82%AC+x&after=',
  '/settings/api?q=https://evil.example//',
  '/a@b:c',
])('%s is a target on this server', (path) => {
  expect(ownPath(path)).toBe(path);
  expect(new URL(path, 'https://gatehouse.example').origin).toBe('https://gatehouse.example');
});

test.each([
  '',
  'settings/api',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https://evil.example',
  'HTTPS://evil.example/a',
  'http:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/..//evil.example',
  '/./evil',
  '/a/../b',
  '/a//b',
  '/a/',
  '//-',
  '/%2e%2e/a',
  '/%5cevil.example\\',
  '/a b',
  '/ü',
  '/a?b#c',
  '/a#b',
  '/a?b=\\',
  '/a?b="',
  '/a?b=<',
  '/a?b=\r\nset-cookie: x=y',
  '/a\u0000',
  '/a?\u0000',
  '/a\u2028',
  '*',
  '?a',
  '/%',
  '/%zz',
  `/${'a'.repeat(2000)}`,
])('%j is none', (path) => {
  expect(ownPath(path)).toBeUndefined();
});

test('nothing is none', () => {
  expect([ownPath(null), ownPath(undefined)]).toEqual([undefined, undefined]);
});
