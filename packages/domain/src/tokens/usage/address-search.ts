import { groupsOf, hex, OCTET, parseIpAddress } from '../../ip-address.ts';
import type { AddressOfUse, TokenUsageWithAddresses } from './token-usage.ts';

/** The addresses that a search asks for, in their stored form: one address, all with a prefix, or both. */
export interface AddressSearch {
  readonly address?: string;
  readonly prefix?: string;
}

const IPV4_BEGINNING = new RegExp(`^(?:${OCTET}\\.){1,3}${OCTET}?$`);
const IPV6_BEGINNING = /^(?<whole>(?:[0-9a-f]{1,4}:){1,7})(?<part>[0-9a-f]{0,4})$/i;

/**
 * Reads a search as an address of use, or as the beginning of one: at least its first number and the separator after it, such
 * as `203.0.113.` and `2001:db8:`. An IPv6 address, in any spelling, asks for its /64. Undefined for other texts.
 */
export function addressSearch(text: string): AddressSearch | undefined {
  const network = text.endsWith(':/64') ? groupsOf(text.slice(0, -3)) : undefined;
  const address = network ? networkOf(network) : addressOfUse(text);
  if (address !== undefined) return { address };
  if (IPV4_BEGINNING.test(text)) return { prefix: text };
  const { whole, part } = IPV6_BEGINNING.exec(text)?.groups ?? {};
  if (whole === undefined || part === undefined) return undefined;
  const groups = whole
    .slice(0, -1)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  if (groups.length >= 4) return { address: networkOf(groups) };
  const beginning = groups.map((group) => `${hex(group)}:`).join('');
  // Leading zeros of a group are not stored. A network whose other groups are 0 is stored without these groups.
  const begun = part.toLowerCase().replace(/^0+/, '');
  const prefix = beginning + begun;
  return begun === '' ? { prefix, address: networkOf(groups) } : { prefix };
}

/** Returns the addresses that match a search; undefined if none does. */
export function addressesFound(
  { address, prefix }: AddressSearch,
  { usedFrom, refusedFrom }: Pick<TokenUsageWithAddresses, 'usedFrom' | 'refusedFrom'>,
) {
  const isFound = ({ address: kept }: AddressOfUse) =>
    kept === address || (prefix !== undefined && kept.startsWith(prefix));
  const found = { usedFrom: usedFrom.filter(isFound), refusedFrom: refusedFrom.filter(isFound) };
  return found.usedFrom.length + found.refusedFrom.length > 0 ? found : undefined;
}

/**
 * Returns an address of use as it is stored: an IPv4 address, or the /64 of an IPv6 address in its shortest form (RFC 5952). An
 * IPv4 address within an IPv6 address is stored as IPv4. Returns undefined for other text: a connection that has ended has no
 * address.
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
