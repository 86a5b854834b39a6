import { expect, test } from 'vitest';
import { parseServiceName, parseServiceScope, serviceOf } from './service.ts';
import { parseCredentialSecret } from './service-credential.ts';

test.each(['orders', 'o', 'a1', 'order-desk-2', 'x'.repeat(40)])('%s is the name of a service', (text) => {
  expect(parseServiceName(text)).toBe(text);
});

test.each([
  '',
  'Orders',
  '1orders',
  '-orders',
  'orders-',
  'order--desk',
  'order_desk',
  'orders:',
  'órders',
  'orders\n',
  'x'.repeat(41),
])('%j is no name of a service', (text) => {
  expect(parseServiceName(text)).toBeUndefined();
});

test.each(['orders:read', 'order-desk:read.all', 'orders:line_items-2', `orders:${'x'.repeat(40)}`])(
  '%s is a scope, which begins with the name of its service',
  (text) => {
    const scope = parseServiceScope(text);
    expect(scope).toBe(text);
    expect(scope && serviceOf(scope)).toBe(text.split(':')[0]);
  },
);

test.each([
  'orders',
  'orders:',
  ':read',
  'orders:*',
  '*',
  'orders:Read',
  'orders:read:all',
  'orders:read ',
  'orders:read..all',
  `orders:${'x'.repeat(41)}`,
])('%j is no scope of a service', (text) => {
  expect(parseServiceScope(text)).toBeUndefined();
});

test('only the prefix and 43 characters of base64url are the secret of a credential', () => {
  const random = 'aZ09-_'.padEnd(43, 'x');
  expect(parseCredentialSecret(`ghs_${random}`)).toBe(`ghs_${random}`);
  for (const text of [
    random,
    `GHS_${random}`,
    `ghs_${random}x`,
    `ghs_${random.slice(1)}`,
    `ghs_${random}\n`,
    '',
  ])
    expect(parseCredentialSecret(text)).toBeUndefined();
});
