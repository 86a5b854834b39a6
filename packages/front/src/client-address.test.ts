import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addAddress('2001:db8::1', 'ipv6');

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage;

const PROXIES = ['10.0.0.8', '10.0.0.9', ...Array.from({ length: 31 }, () => '10.0.0.2')].join();

describe('the address of a client', () => {
  it.each([
    ['without proxies, the peer', undefined, '192.0.2.1', undefined, '192.0.2.1'],
    ['without proxies, the peer, whatever it claims', undefined, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['an IPv4 address, on an IPv6 socket too', undefined, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['an IPv6 address', undefined, '2001:db8::2', undefined, '2001:db8::2'],
    ['an IPv6 address without its zone', undefined, 'fe80::2%eth0', undefined, 'fe80::2'],
    ['not what is no address with a zone', trusted, '10.0.0.1', '198.51.100.1%eth0', '10.0.0.1'],
    ['the peer, where that is no proxy', trusted, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['what the proxy says', trusted, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['what the proxy on an IPv6 socket says', trusted, '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last that is no proxy', trusted, '10.0.0.1', '203.0.113.9, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['not what the client wrote', trusted, '10.0.0.1', '127.0.0.1, 10.0.0.9, 198.51.100.1', '198.51.100.1'],
    ['the first proxy, where there are only proxies', trusted, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the 32nd proxy, of very many', trusted, '10.0.0.1', PROXIES, '10.0.0.9'],
    ['the proxy that said nothing', trusted, '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy that said nonsense', trusted, '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['the proxy that said less than nothing', trusted, '10.0.0.1', '', '10.0.0.1'],
    ['without its port', trusted, '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['without brackets and port', trusted, '2001:db8::1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['an IPv6 address that a proxy names', trusted, '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['IPv4 that a proxy names as IPv6', trusted, '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ])('is %s', (_, proxies, peer, forwarded, address) => {
    expect(createClientAddress(proxies)(from(peer, forwarded))).toBe(address);
  });
});
