import { describe, expect, test } from 'vitest';
import { clientNetwork } from './ip-address.ts';

describe('the network of a client', () => {
  test('is an IPv4 address, written as IPv6 or not', () => {
    const spellings = ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:0207', '0:0:0:0:0:ffff:192.0.2.7'];
    expect(new Set(spellings.map(clientNetwork))).toEqual(new Set(['192.0.2.7/32']));
  });

  test('is the IPv4 address that a NAT64 gateway translated', () => {
    const spellings = ['64:ff9b::192.0.2.7', '64:FF9B::c000:207', '64:ff9b:0:0:0:0:c000:0207%eth0'];
    expect(new Set(spellings.map(clientNetwork))).toEqual(new Set(['192.0.2.7/32']));
    expect(clientNetwork('64:ff9b::')).toBe('0.0.0.0/32');
    expect(clientNetwork('64:ff9b::c633:64ff')).toBe('198.51.100.255/32');
  });

  test('is the /64 of an address beside the prefix of NAT64', () => {
    expect(clientNetwork('64:ff9b::1:192.0.2.7')).toBe('64:ff9b:0:0::/64');
    expect(clientNetwork('64:ff9b:1::192.0.2.7')).toBe('64:ff9b:1:0::/64');
    expect(clientNetwork('64:ff9c::192.0.2.7')).toBe('64:ff9c:0:0::/64');
  });

  test('is the /64 of an IPv6 address, with any zone', () => {
    expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(clientNetwork('2001:DB8:0:0::0001')).toBe('2001:db8:0:0::/64');
    expect(clientNetwork('2001:db8:0:1:2:3:4:5')).toBe('2001:db8:0:1::/64');
    expect(clientNetwork('2001:db8:0:1::')).toBe('2001:db8:0:1::/64');
    expect(clientNetwork('2001::1:2:3:4:5:6')).toBe('2001:0:1:2::/64');
    expect(clientNetwork('1:2:3:4:5:6:7::')).toBe('1:2:3:4::/64');
    expect(clientNetwork('::1:2:3:4:5:6:7')).toBe('0:1:2:3::/64');
    expect(clientNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(clientNetwork('::1')).toBe('0:0:0:0::/64');
    expect(clientNetwork('::192.0.2.7')).toBe('0:0:0:0::/64');
  });

  test.each(['', 'localhost', '192.0.2.7:80', '192.0.2.007', '1.2.3', '::1]', '2001:db8::1/64'])(
    'is not found in %j',
    (text) => {
      expect(() => clientNetwork(text)).toThrow('is not an IP address');
    },
  );
});
