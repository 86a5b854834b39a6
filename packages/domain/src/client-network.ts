import { hex, parseIpAddress } from './ip-address.ts';

/**
 * Returns the network that one client controls: its IPv4 address, or the /64 of its IPv6 address, where it can choose any
 * address. All spellings of an address give the same text, such as `192.0.2.7/32` or `2001:db8:0:0::/64`.
 *
 * @throws RangeError if the text is not an IP address
 */
export function clientNetwork(text: string): string {
  const address = parseIpAddress(text);
  if (!address) throw new RangeError('the address of a client is not an IP address');
  return address.groups ? `${address.groups.slice(0, 4).map(hex).join(':')}::/64` : `${address.ipv4}/32`;
}
