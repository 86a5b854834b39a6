import { groupsOf, hex, OCTET, parseIpAddress } from '../../ip-address.ts';
import type { AddressOfUse, TokenUsageWithAddresses } from './token-usage.ts';

/**
 * The stored addresses that a search finds: each that equals one of `addresses`, and each that begins with one of
 * `prefixes`.
 */
export interface AddressSearch {
  readonly addresses: readonly string[];
  readonly prefixes: readonly string[];
}

const IPV4_BEGINNING = new RegExp(`^(?:${OCTET}\\.){1,3}${OCTET}?$`);
const IPV6_BEGINNING = /^(?<whole>(?:[0-9a-f]{1,4}:){1,7})(?<part>[0-9a-f]{0,4})$/i;
const NETWORK = /^(?<address>[0-9a-f.:]+)\/(?<bits>\d{1,3})$/i;

/**
 * Reads the text of a search as an IP address, as the beginning of an IP address, or as a network such as
 * `203.0.113.0/24`. A beginning has at least the first number and the separator after it, such as `203.0.113.` or
 * `2001:db8:`. An IPv6 address, in any spelling, finds its /64 network. Returns undefined for other text.
 */
export function addressSearch(text: string): AddressSearch | undefined {
  const { address = '', bits } = NETWORK.exec(text)?.groups ?? {};
  if (bits !== undefined) return networkSearch(address, Number(bits));
  const whole = addressOfUse(text);
  if (whole !== undefined) return { addresses: [whole], prefixes: [] };
  if (IPV4_BEGINNING.test(text)) return { addresses: [], prefixes: [text] };
  return beginningOfIpv6(text);
}

function beginningOfIpv6(text: string): AddressSearch | undefined {
  const { whole, part } = IPV6_BEGINNING.exec(text)?.groups ?? {};
  if (whole === undefined || part === undefined) return undefined;
  const groups = whole
    .slice(0, -1)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  // Stored addresses have no leading zeros in a group.
  const begun = part.toLowerCase().replace(/^0+/, '');
  if (groups.length >= 4 || begun === '') return beginningWith(groups);
  return { addresses: [], prefixes: [groups.map((group) => `${hex(group)}:`).join('') + begun] };
}

/** Finds the addresses whose first groups are these. */
function beginningWith(groups: readonly number[]): AddressSearch {
  if (groups.length >= 4) return { addresses: [networkOf(groups)], prefixes: [] };
  // If all later groups of a network are 0, the stored address has none of these groups.
  return { addresses: [networkOf(groups)], prefixes: [groups.map((group) => `${hex(group)}:`).join('')] };
}

/** The largest number of prefixes for which a search asks. */
const MAX_PREFIXES = 256;

/**
 * Finds the addresses of a network. Its bits may end within a number of the address: the search then asks for each value
 * of that number. Returns undefined if these are too many, or if the address has bits after those of the network.
 */
function networkSearch(text: string, bits: number): AddressSearch | undefined {
  const ipv4 = /^[\d.]+$/.test(text) ? parseIpAddress(text)?.ipv4?.split('.').map(Number) : undefined;
  const numbers = ipv4 ?? groupsOf(text);
  if (numbers === undefined) return undefined;
  const width = ipv4 ? 8 : 16;
  if (bits < 1 || bits > width * numbers.length) return undefined;
  // Uses from IPv6 are stored as /64 networks.
  const known = ipv4 ? bits : Math.min(bits, 64);
  const begun = Math.floor(known / width);
  const open = known % width === 0 ? 0 : width - (known % width);
  const count = 2 ** open;
  if (count > MAX_PREFIXES) return undefined;
  const first = numbers[begun] ?? 0;
  const isExact =
    first % count === 0 && numbers.slice(open === 0 ? begun : begun + 1).every((each) => each === 0);
  if (!isExact && bits === known) return undefined;
  const start = numbers.slice(0, begun);
  const all = open === 0 ? [start] : Array.from({ length: count }, (_, index) => [...start, first + index]);
  const found = all.map((each) => (ipv4 ? beginningOfIpv4(each) : beginningWith(each)));
  return {
    addresses: found.flatMap(({ addresses }) => addresses),
    prefixes: found.flatMap(({ prefixes }) => prefixes),
  };
}

function beginningOfIpv4(numbers: readonly number[]): AddressSearch {
  const text = numbers.join('.');
  return numbers.length === 4
    ? { addresses: [text], prefixes: [] }
    : { addresses: [], prefixes: [`${text}.`] };
}

/** Returns the addresses that match a search; undefined if no address matches. */
export function addressesFound(
  { addresses, prefixes }: AddressSearch,
  { usedFrom, refusedFrom }: Pick<TokenUsageWithAddresses, 'usedFrom' | 'refusedFrom'>,
) {
  const isFound = ({ address: kept }: AddressOfUse) =>
    addresses.includes(kept) || prefixes.some((prefix) => kept.startsWith(prefix));
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
