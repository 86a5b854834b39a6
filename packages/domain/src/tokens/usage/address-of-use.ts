import { hex, parseIpAddress } from '../../ip-address.ts';

/**
 * Returns an address of use as it is stored: an IPv4 address, or the /64 of an IPv6 address in its shortest form
 * (RFC 5952); IPv4 within IPv6 as IPv4. Undefined for other text, because a connection that has ended has no address.
 */
export function addressOfUse(text: string): string | undefined {
  const address = parseIpAddress(text);
  return address?.groups ? networkOf(address.groups) : address?.ipv4;
}

/** Returns the /64 of the first groups of an IPv6 address; missing groups are 0. */
export function networkOf(groups: readonly number[]): string {
  const network = groups.slice(0, 4);
  // The zeros after these groups are the longest run of zeros, written as `::`.
  const length = network.findLastIndex((group) => group !== 0) + 1;
  return `${network.slice(0, length).map(hex).join(':')}::/64`;
}
