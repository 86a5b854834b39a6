import { expect, test } from 'vitest';
import { parseSafeAddress } from './safe-address.ts';

test.each([
  'https://login.example/tenant/v2.0',
  'https://login.example:8443/',
  'http://127.0.0.1:8080/realms/acme',
  'http://localhost/',
  'http://[::1]:8080/',
])('%s is safe', (address) => {
  expect(parseSafeAddress(address)?.href).toBeDefined();
});

test.each([
  'http://login.example/',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  'http://[::ffff:10.0.0.1]/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:password@login.example/',
  'https://login.example/#part',
  'login.example',
  '',
  undefined,
  7,
])('%s is not', (address) => {
  expect(parseSafeAddress(address)).toBeUndefined();
});

test('an issuer with https names no address with http, not even of this machine', () => {
  expect(parseSafeAddress('http://127.0.0.1/token', 'https://login.example')).toBeUndefined();
  expect(parseSafeAddress('http://127.0.0.1/token', 'http://127.0.0.1')).toBeDefined();
});
