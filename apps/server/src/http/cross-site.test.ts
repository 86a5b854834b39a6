import type { IncomingMessage } from 'node:http';
import { createIsCrossSite } from '@gatehouse/http';
import { createFindSite } from '@gatehouse/pages';
import { describe, expect, test } from 'vitest';

const APP = 'https://app.example';

interface Asked {
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
  /** Further header fields. */
  readonly more?: Readonly<Record<string, string>>;
  readonly peer?: string;
}

function isCrossSite(asked: Asked, publicUrl?: string): boolean {
  const { host = '127.0.0.1:8080', origin, site, more, peer = '127.0.0.1' } = asked;
  const findSite = createFindSite(publicUrl);
  const decide = createIsCrossSite(
    (request) => {
      const found = findSite(request);
      return typeof found === 'string' ? undefined : found.origin;
    },
    publicUrl === undefined ? [APP] : [publicUrl, APP],
  );
  return decide({
    httpVersion: '1.1',
    headers: {
      ...more,
      host,
      ...(origin !== undefined && { origin }),
      ...(site !== undefined && { 'sec-fetch-site': site }),
    },
    socket: { remoteAddress: peer, localPort: 8080 },
    // Nothing else of a request decides.
  } as unknown as IncomingMessage);
}

/** Values of `Origin` that no server accepts as its own. */
const FOREIGN = [
  'https://evil.example',
  'http://evil.example:8080',
  'null',
  'NULL',
  '',
  ' ',
  '*',
  'undefined',
  'evil.example',
  'file://',
  'chrome-extension://abcdefgh',
  'https://',
  'https://app.example.evil.example',
  'https://evil.example/https://app.example',
  'https://app.example@evil.example',
  'https://app.example, https://evil.example',
  'https://evil.example, https://app.example',
  'https://app.example,https://app.example',
  'https://app.example https://evil.example',
  'https://app.example\\@evil.example',
  'http://app.example',
  'https://app.example:8443',
  'https://[::1',
];

describe('a request', () => {
  test.each([undefined, 'same-origin', 'none'])('of a program passes: Sec-Fetch-Site %s', (site) => {
    for (const publicUrl of [undefined, 'https://gatehouse.example'])
      expect(isCrossSite({ ...(site !== undefined && { site }) }, publicUrl)).toBe(false);
  });

  test.each(['cross-site', 'same-site', 'Cross-Site', 'same-origin, cross-site', ''])(
    'without an origin is refused where the browser says that another caused it: %s',
    (site) => {
      for (const publicUrl of [undefined, 'https://gatehouse.example'])
        expect(isCrossSite({ site }, publicUrl)).toBe(true);
    },
  );

  test.each(FOREIGN)('of another site is refused, whatever else it says: %j', (origin) => {
    const peers = [
      {},
      { host: 'gatehouse.example' },
      { peer: '192.0.2.1' },
      { more: { 'x-forwarded-for': '192.0.2.1' } },
    ];
    for (const publicUrl of [undefined, 'https://gatehouse.example', 'http://127.0.0.1:8080']) {
      for (const peer of peers) {
        for (const site of [undefined, 'cross-site', 'same-site', 'none']) {
          const asked = { ...peer, origin, ...(site !== undefined && { site }) };
          expect([asked, isCrossSite(asked, publicUrl)]).toEqual([asked, true]);
        }
      }
    }
  });

  test.each([APP, 'HTTPS://App.Example', 'https://app.example:443'])(
    'of an origin that may call the API passes, from wherever: %s',
    (origin) => {
      for (const site of ['cross-site', 'same-site'])
        expect(isCrossSite({ origin, site, peer: '192.0.2.1' })).toBe(false);
    },
  );
});

describe('where the request comes from this machine, its own origin is known', () => {
  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['LOCALHOST:8080', 'http://localhost:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['[::1]:8080', 'HTTP://[0:0:0:0:0:0:0:1]:8080'],
  ])('Host %s, Origin %s', (host, origin) => {
    expect(isCrossSite({ host, origin })).toBe(false);
  });

  test.each([
    'https://127.0.0.1:8080',
    'http://127.0.0.1',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:80800',
    'http://localhost:8080',
    'http://127.0.0.1.evil.example:8080',
  ])('and another is another site: %s', (origin) => {
    expect(isCrossSite({ origin })).toBe(true);
    expect(isCrossSite({ origin, site: 'cross-site' })).toBe(true);
  });

  test('a development server on this machine passes on what its own pages send', () => {
    const origin = 'http://localhost:5173';
    expect(isCrossSite({ origin, site: 'same-origin' })).toBe(false);
    expect(isCrossSite({ origin, site: 'same-site' })).toBe(true);
    expect(isCrossSite({ origin })).toBe(true);
    for (const evil of ['https://evil.example', 'http://127.evil.example', 'http://localhost.evil.example'])
      expect(isCrossSite({ origin: evil, site: 'same-origin' })).toBe(true);
  });
});

describe('with PUBLIC_URL', () => {
  const PUBLIC = 'https://gatehouse.example';

  test.each([
    'gatehouse.example',
    'GateHouse.Example',
    'gatehouse.example:443',
    'gatehouse:8080',
    '10.0.0.5',
  ])('its pages pass, under whatever Host a proxy asks: %s', (host) => {
    expect(isCrossSite({ host, origin: PUBLIC }, PUBLIC)).toBe(false);
    expect(isCrossSite({ host, origin: PUBLIC, site: 'same-origin' }, PUBLIC)).toBe(false);
  });

  test.each(['http://gatehouse.example', 'https://gatehouse.example:8443', 'https://www.gatehouse.example'])(
    'others of the same name do not: %s',
    (origin) => {
      for (const site of [undefined, 'same-site', 'cross-site']) {
        const asked = { host: 'gatehouse.example', origin, ...(site !== undefined && { site }) };
        expect(isCrossSite(asked, PUBLIC)).toBe(true);
      }
    },
  );
});

describe('behind a proxy, without PUBLIC_URL', () => {
  const proxied = { peer: '10.0.0.5', more: { 'x-forwarded-for': '192.0.2.1' } };

  test.each([
    ['company.example', 'https://company.example'],
    ['COMPANY.example', 'https://company.example'],
    ['company.example:443', 'https://company.example'],
    ['company.example:8443', 'https://company.example:8443'],
    ['192.0.2.7:8080', 'http://192.0.2.7:8080'],
    ['192.0.2.7:80', 'http://192.0.2.7'],
    ['[2001:DB8::7]:8080', 'http://[2001:db8::7]:8080'],
    ['gate.localhost:8080', 'http://gate.localhost:8080'],
  ])('the Host tells: %s is asked from %s', (host, origin) => {
    expect(isCrossSite({ ...proxied, host, origin })).toBe(false);
    for (const site of ['cross-site', 'same-site'])
      expect(isCrossSite({ ...proxied, host, origin, site })).toBe(true);
  });

  test.each([
    ['company.example', 'https://company.example:8443'],
    ['company.example:8443', 'https://company.example'],
    ['company.example:80', 'https://company.example'],
    ['192.0.2.7:8080', 'http://192.0.2.7'],
    ['', 'https://'],
    ['undefined', 'https://undefined.example'],
  ])('another port is another site: %s is asked from %s', (host, origin) => {
    expect(isCrossSite({ ...proxied, host, origin })).toBe(true);
  });

  test('the browser tells where the proxy asks under another Host', () => {
    const asked = { ...proxied, host: 'gatehouse:8080', origin: 'https://company.example' };
    expect(isCrossSite({ ...asked, site: 'same-origin' })).toBe(false);
    expect(isCrossSite(asked)).toBe(true);
    expect(isCrossSite({ ...asked, origin: 'null', site: 'same-origin' })).toBe(true);
  });

  test('a name that was made to lead here is another site (DNS rebinding)', () => {
    for (const host of ['evil.example:8080', '127.evil.example:8080', 'localhost.evil.example:8080'])
      for (const from of [proxied, {}]) {
        expect(isCrossSite({ ...from, host, origin: `http://${host}` })).toBe(true);
      }
  });
});
