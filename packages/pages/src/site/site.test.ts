import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createFindSite } from './site.ts';

const request = (
  host: string | undefined,
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
) =>
  ({
    httpVersion: '1.1',
    headers: { ...headers, ...(host !== undefined && { host }) },
    socket: { remoteAddress, localPort: 8080 },
    // Nothing else of a request decides.
  }) as unknown as IncomingMessage;

const findLocal = createFindSite(undefined);

test.each([
  ['localhost:8080', 'http://localhost:8080'],
  ['LOCALHOST:8080', 'http://localhost:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['127.8.9.10:8080', 'http://127.8.9.10:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
])('without PUBLIC_URL, a browser on this machine that asks %s is shown pages', (host, origin) => {
  for (const peer of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1']) {
    expect(findLocal(request(host, {}, peer))).toEqual({ origin, isSecure: false });
  }
});

test.each([
  undefined,
  '',
  'localhost',
  'localhost:80',
  'localhost:8081',
  'localhost:',
  'localhost.:8080',
  'gatehouse.example:8080',
  'localhost.evil.example:8080',
  '127.0.0.1.evil.example:8080',
  '127.0.0.1.nip.io:8080',
  '128.0.0.1:8080',
  '127.0.0.999:8080',
  '127.1:8080',
  '2130706433:8080',
  '0.0.0.0:8080',
  '[::]:8080',
  '[::ffff:127.0.0.1]:8080',
  '10.0.0.5:8080',
  'user@localhost:8080',
])('without PUBLIC_URL, a name that was made to lead here is refused: Host %s', (host) => {
  expect(findLocal(request(host))).toBe('not_local');
});

test.each(['192.0.2.1', '10.0.0.5', '::2', '::ffff:192.0.2.1', 'fe80::1%eth0', '128.0.0.1', ''])(
  'without PUBLIC_URL, a browser on another machine is refused: %s',
  (peer) => {
    expect(findLocal(request('localhost:8080', {}, peer))).toBe('not_local');
  },
);

test.each([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-anything',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-envoy-external-address',
])('without PUBLIC_URL, a proxy on this machine is refused: %s', (field) => {
  expect(findLocal(request('localhost:8080', { [field]: '' }))).toBe('not_local');
});

test('without PUBLIC_URL, a proxy that asks by HTTP/1.0 and as localhost, as nginx does by itself, is refused', () => {
  const asked = Object.assign(request('localhost:8080'), { httpVersion: '1.0' });
  expect(findLocal(asked)).toBe('not_local');
});

test('with PUBLIC_URL the host decides, wherever the request comes from', () => {
  const site = { origin: 'https://gatehouse.example', isSecure: true };
  const find = createFindSite(site.origin);
  for (const host of ['gatehouse.example', 'GateHouse.example', 'gatehouse.example:443']) {
    expect(find(request(host, { 'x-forwarded-for': '192.0.2.1' }, '10.0.0.5'))).toEqual(site);
  }
  for (const host of [
    undefined,
    '',
    'localhost:8080',
    'gatehouse.example:80',
    'gatehouse.example:8080',
    'gatehouse.example.',
    'www.gatehouse.example',
    'gatehouse.example.evil.example',
    'evil.example',
    '127.0.0.1:8080',
  ]) {
    const claims = { 'x-forwarded-host': 'gatehouse.example', forwarded: 'host=gatehouse.example' };
    expect([host, find(request(host, claims))]).toEqual([host, 'other_host']);
  }
});

test('PUBLIC_URL can have a port, and be plain HTTP in a network that is trusted', () => {
  expect(createFindSite('http://gate.internal:8080')(request('gate.internal:8080'))).toEqual({
    origin: 'http://gate.internal:8080',
    isSecure: false,
  });
  expect(createFindSite('http://gate.internal:8080')(request('gate.internal'))).toBe('other_host');
  expect(createFindSite('http://gate.internal')(request('gate.internal:80'))).toMatchObject({
    isSecure: false,
  });
});
