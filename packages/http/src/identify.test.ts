import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { hasTokenElsewhere } from './identify.ts';
import { HttpRequest } from './request.ts';

function isFoundIn(target: string) {
  const node = { method: 'GET', url: target, headers: {} } as IncomingMessage;
  return hasTokenElsewhere(new HttpRequest(node, {} as ServerResponse, () => ''));
}

test.each([
  '/me?access_token=x',
  '/me?a=b&access_token=x&c',
  '/me?access_token',
  '/me?%61cce%73s%5Ft%6Fken=x',
  '/me?access%5ft%6fken=x',
])('a token in a query is found: %s', (target) => {
  expect(isFoundIn(target)).toBe(true);
});

test.each([
  '/access_token=x',
  '/me?a=access_token',
  '/me?access_tokens=x',
  '/me?Access_Token=x',
  '/me?my_access_token=x',
  '/me?a?access_token=x',
  '/me?%access_token=x',
])('a query without one has none: %s', (target) => {
  expect(isFoundIn(target)).toBe(false);
  expect(new URLSearchParams(target.slice(target.indexOf('?'))).has('access_token')).toBe(false);
});

test('parameters are not decoded to find it', () => {
  const target = `/me?${'&a'.repeat(8_000)}`;
  const before = process.cpuUsage();
  for (let round = 0; round < 2_000; round += 1) expect(isFoundIn(target)).toBe(false);
  // Decoded, they take some 4 s.
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
});
