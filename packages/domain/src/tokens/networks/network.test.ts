import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unwrap } from '../../../testing/index.ts';
import { canonicalAddress, groupsOfAddress } from '../../ip-address.ts';
import { hasAddress, networkOfPrefix, parseNetwork } from './network.ts';
import { isOutside, parseTokenNetworks } from './token-networks.ts';
import vectors from './vectors/networks.json' with { type: 'json' };

test.each(vectors.membership)('$address is in $network: $isIn', ({ network, address, isIn }) => {
  expect(isOutside(unwrap(parseTokenNetworks({ mode: 'enforced', list: [network] })), address)).toBe(!isIn);
});

test('an address that is not known is outside', () => {
  expect(isOutside(unwrap(parseTokenNetworks({ mode: 'enforced', list: ['::/1'] })), undefined)).toBe(true);
});

describe('a network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7/128'],
    ['2001:db8:0:0:1:0:0:0/80', '2001:db8:0:0:1::/80'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['64:ff9b::10.0.0.0/104', '10.0.0.0/8'],
    ['0:0:0:0:0:0:0:0/1', '::/1'],
    ['1:0:0:0:0:0:0:0/16', '1::/16'],
    ['0:0:1:0:0:0:0:1', '0:0:1::1/128'],
    ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0/128'],
  ])('%s has the canonical text %s', (text, cidr) => {
    const network = unwrap(parseNetwork(text));
    expect(network.cidr).toBe(cidr);
    expect(parseNetwork(cidr)).toEqual({ ok: true, value: network });
  });

  test.each([
    [
      '203.0.113.7/24',
      'has "203.0.113.7/24", which has bits after the first 24: did you mean 203.0.113.0/24?',
    ],
    ['2001:db8::1/32', 'did you mean 2001:db8::/32?'],
    ['::ffff:10.1.0.0/104', 'did you mean 10.0.0.0/8?'],
    ['0.0.0.0/0', 'which is every address: to allow the token everywhere, give it no networks'],
    ['::/0', 'which is every address'],
    ['::ffff:0:0/96', 'which is every address'],
    ['fe80::1%eth0/64', 'leave out the zone'],
    ['10.0.0.0/33', 'which is no network: write one such as 203.0.113.0/24'],
    ['2001:db8::/129', 'which is no network'],
    ['::ffff:10.0.0.0/95', 'which is no network'],
    ['10.0.0.0/08', 'which is no network'],
    ['10.0.0.0/', 'which is no network'],
    ['10.0.0.0/8/8', 'which is no network'],
    ['10.0.0.0/-1', 'which is no network'],
    ['10.0.0.0/255.0.0.0', 'which is no network'],
    ['10.0.0', 'which is no network'],
    ['010.0.0.1', 'which is no network'],
    ['localhost', 'which is no network'],
    ['', 'which is no network'],
  ])('%j is refused, and the error says what is wrong', (text, expected) => {
    expect(parseNetwork(text)).toEqual({ ok: false, error: expect.stringContaining(expected) });
  });

  const group = fc.integer({ min: 0, max: 0xffff });
  const address = fc.oneof(
    fc.array(group, { minLength: 2, maxLength: 2 }),
    // Groups that are not within the prefixes of IPv4 in IPv6.
    fc.array(group, { minLength: 7, maxLength: 7 }).map((groups) => [0x2001, ...groups]),
  );

  test('has exactly the addresses that share its first bits', () => {
    const bits = (groups: readonly number[]) =>
      groups.map((each) => each.toString(2).padStart(16, '0')).join('');
    fc.assert(
      fc.property(address, address, fc.integer({ min: 1, max: 128 }), (one, other, length) => {
        const prefix = Math.min(length, one.length * 16);
        const network = networkOfPrefix(one, prefix);
        expect(hasAddress(network, one)).toBe(true);
        const isIn =
          one.length === other.length && bits(one).slice(0, prefix) === bits(other).slice(0, prefix);
        expect(hasAddress(network, other)).toBe(isIn);
      }),
    );
  });

  test('is parsed from its canonical text, and addresses from theirs', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 1, max: 128 }), (groups, length) => {
        const network = networkOfPrefix(groups, Math.min(length, groups.length * 16));
        expect(parseNetwork(network.cidr)).toEqual({ ok: true, value: network });
        expect(groupsOfAddress(canonicalAddress(groups))).toEqual(groups);
      }),
    );
  });
});

describe('a list of networks', () => {
  const parse = (list: readonly string[]) => parseTokenNetworks({ mode: 'enforced', list });

  test('is sorted, without blank texts and duplicates', () => {
    const list = [
      '2001:db8::/32',
      ' 203.0.113.0/24 ',
      '',
      '10.0.0.0/8',
      '::ffff:203.0.113.0/120',
      '10.0.0.0/16',
    ];
    expect(unwrap(parse(list)).list.map(({ cidr }) => cidr)).toEqual([
      '10.0.0.0/8',
      '10.0.0.0/16',
      '203.0.113.0/24',
      '2001:db8::/32',
    ]);
  });

  test('has 1 to 32 networks', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`);
    const problem = (message: string) => ({
      ok: false,
      error: { code: 'invalid_input', problems: [{ field: 'network', message }] },
    });
    expect(parse(many(32)).ok).toBe(true);
    expect(parse(many(33))).toEqual(problem('must have at most 32 networks, not 33'));
    expect(parse(['', ' '])).toEqual(problem('must have at least one network, such as 203.0.113.0/24'));
    expect(parse(['10.0.0.0/8', 'nowhere'])).toMatchObject({ error: { problems: [{ field: 'network' }] } });
  });
});
