import { groupsOf, hex, OCTET, parseIpAddress } from '../../ip-address.ts';
import type { AddressOfUse, TokenUsageWithAddresses } from './token-usage.ts';

/** The stored addresses that a search finds: the one that equals `address`, all that begin with `prefix`, or both. */
export interface AddressSearch {
  readonly address?: string;
  readonly prefix?: string;
}

const IPV4_BEGINNING = new RegExp(`^(?:${OCTET}\\.){1,3}${OCTET}?$`);
const IPV6_BEGINNING = /^(?<whole>(?:[0-9a-f]{1,4}:){1,7})(?<part>[0-9a-f]{0,4})$/i;

/**
 * Reads the text of a search as an IP address or as the beginning of an IP address. A beginning has at least the first
 * number and the separator after it, such as `203.0.113.` or `2001:db8:`. An IPv6 address, in any spelling, finds its
 * /64 network. Returns undefined for other text.
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
  // Stored addresses have no leading zeros in a group. If all later groups of a network are 0, the stored address has
  // none of these groups.
  const begun = part.toLowerCase().replace(/^0+/, '');
  const prefix = beginning + begun;
  return begun === '' ? { prefix, address: networkOf(groups) } : { prefix };
}

/** Returns the addresses that match a search; undefined if no address matches. */
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
 * Returns a client's IP address in the form in which it is stored: an IPv4 address, or the /64 network of an IPv6
 * address in its shortest form (RFC 5952). An IPv4 address within an IPv6 address is stored as IPv4. Returns undefined
 * if the text is not an IP address, for example because the connection has already closed.
 */
export function addressOfUse(text: string): string | undefined {
  const address = parseIpAddress(text);
  return address?.groups ? networkOf(address.groups) : address?.ipv4;
}

/** Returns the /64 network of an IPv6 address that begins with these groups. Missing groups are 0. */
export function networkOf(groups: readonly number[]): string {
  const network = groups.slice(0, 4);
  // The zeros after these groups are the longest run of zeros, written as `::`.
  const length = network.findLastIndex((group) => group !== 0) + 1;
  return `${network.slice(0, length).map(hex).join(':')}::/64`;
}
