import { hex, parseIpAddress } from '../../ip-address.ts';

/**
 * Returns an address of use as it is kept: an IPv4 address, or the /64 of an IPv6 address in its shortest form
 * (RFC 5952); IPv4 within IPv6 as IPv4. Undefined for text that is not an address: a connection that has ended has none.
 */
export function addressOfUse(text: string): string | undefined {
  const address = parseIpAddress(text);
  return address?.groups ? networkOf(address.groups) : address?.ipv4;
}

/** Returns the /64 of the first groups of an IPv6 address; those that are missing are 0. */
export function networkOf(groups: readonly number[]): string {
  const network = groups.slice(0, 4);
  // The zeros behind them are the longest run of zeros, which `::` stands for.
  const length = network.findLastIndex((group) => group !== 0) + 1;
  return `${network.slice(0, length).map(hex).join(':')}::/64`;
}
