import { expect, test } from 'vitest';
import { addressOfUse } from './address-of-use.ts';

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
