import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesFound, addressOfUse, addressSearch } from './address-search.ts';

test.each([
  ['203.0.113.9', { addresses: ['203.0.113.9'], prefixes: [] }],
  ['::ffff:203.0.113.9', { addresses: ['203.0.113.9'], prefixes: [] }],
  ['0:0:0:0:0:ffff:cb00:7109', { addresses: ['203.0.113.9'], prefixes: [] }],
  ['203.0.113.', { addresses: [], prefixes: ['203.0.113.'] }],
  ['203.0.11', { addresses: [], prefixes: ['203.0.11'] }],
  ['203.', { addresses: [], prefixes: ['203.'] }],
  ['2001:DB8::1', { addresses: ['2001:db8::/64'], prefixes: [] }],
  ['2001:db8:1::/64', { addresses: ['2001:db8:1::/64'], prefixes: [] }],
  ['64:ff9b::/64', { addresses: ['64:ff9b::/64'], prefixes: [] }],
  ['2001:db8:0:1:', { addresses: ['2001:db8:0:1::/64'], prefixes: [] }],
  ['2001:db8:0:1:ffff:', { addresses: ['2001:db8:0:1::/64'], prefixes: [] }],
  ['2001:0DB8:00a', { addresses: [], prefixes: ['2001:db8:a'] }],
  ['2001:db8:', { addresses: ['2001:db8::/64'], prefixes: ['2001:db8:'] }],
  ['2001:db8:000', { addresses: ['2001:db8::/64'], prefixes: ['2001:db8:'] }],
  ['2001:0:', { addresses: ['2001::/64'], prefixes: ['2001:0:'] }],
  ['10.0.0.0/8', { addresses: [], prefixes: ['10.'] }],
  ['203.0.113.0/24', { addresses: [], prefixes: ['203.0.113.'] }],
  ['203.0.112.0/23', { addresses: [], prefixes: ['203.0.112.', '203.0.113.'] }],
  ['203.0.113.6/31', { addresses: ['203.0.113.6', '203.0.113.7'], prefixes: [] }],
  ['203.0.113.9/32', { addresses: ['203.0.113.9'], prefixes: [] }],
  ['2001:db8::/32', { addresses: ['2001:db8::/64'], prefixes: ['2001:db8:'] }],
  ['2001:db8:a:b::/63', undefined],
  ['2001:db8:a:a::/63', { addresses: ['2001:db8:a:a::/64', '2001:db8:a:b::/64'], prefixes: [] }],
  ['2001:db8::1/128', { addresses: ['2001:db8::/64'], prefixes: [] }],
] as const)('%s asks for an address of use', (text, asked) => {
  expect(addressSearch(text)).toEqual(asked);
});

test.each([
  ...[
    '',
    '203',
    '203.0.113.256',
    '203..',
    '.113',
    '1.2.3.4.',
    '1.2.3.4/24',
    '1.2.3.0/33',
    '0.0.0.0/0',
    '2001:db8:1000::/36',
    '203.0.113.9:80',
    ' 203.0.113.9',
  ],
  ...[
    'cafe',
    ':',
    ':::',
    '2001:db8::1::',
    '12345:',
    'erp:',
    '1:2:3:4:5:6:7:8:',
    '2001:db8::1/64',
    '10.0.0.1/64',
  ],
])('%j asks for none', (text) => {
  expect(addressSearch(text)).toBeUndefined();
});

test('an address is found by itself, by the form in which it is kept, and by each of its beginnings', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
  const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 });
  const spelled = (groups: readonly number[], width: number) =>
    groups.map((each) => each.toString(16).padStart(width, '0')).join(':');
  const addresses = fc.oneof(
    fc.ipV4(),
    fc.tuple(ipv6, fc.constantFrom(1, 4)).map((of) => spelled(...of)),
  );
  fc.assert(
    fc.property(addresses, (address) => {
      const kept = addressOfUse(address) ?? expect.fail();
      const usage = { usedFrom: [{ address: kept, firstAt: 0, lastAt: 0, times: 1 }], refusedFrom: [] };
      const isFoundBy = (text: string) => {
        const search = addressSearch(text);
        return search === undefined ? undefined : addressesFound(search, usage as never) !== undefined;
      };
      expect([isFoundBy(address), isFoundBy(kept)]).toEqual([true, true]);
      // A shorter IPv4 address is another one: 10.0.0.1 is no beginning of 10.0.0.12. One that is mapped into IPv6
      // is kept as IPv4, so that the beginnings of its IPv6 spelling are those of other networks.
      const lengths = kept.includes(':') ? address.length : address.lastIndexOf('.') + 2;
      for (let length = 1; length < lengths; length += 1) {
        expect(isFoundBy(address.slice(0, length)), address.slice(0, length)).not.toBe(false);
      }
    }),
    { examples: [['0:0:0:0:0:ffff:0:0']] },
  );
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:DB8:0:0:9:9:9:9', '2001:db8::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
])('%s is kept as %s', (text, kept) => {
  expect(addressOfUse(text)).toBe(kept);
});

test.each(['', 'localhost', '192.0.2.7:80', '192.0.2.0/24', 'x\u0000'])('%j is not an address', (text) => {
  expect(addressOfUse(text)).toBeUndefined();
});
