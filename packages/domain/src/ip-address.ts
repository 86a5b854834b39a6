/** The pattern of one number of an IPv4 address: 0 to 255. */
export const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;
/**
 * The first six groups of an IPv6 address that contains an IPv4 address: written as IPv6 (RFC 4291 section 2.5.5.2), or
 * translated by a NAT64 gateway (RFC 6052 section 2.1).
 */
const IPV4_IN_IPV6 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** An IPv4 address as text, or the eight groups of an IPv6 address. */
type IpAddress =
  | { readonly ipv4: string; readonly groups?: never }
  | { readonly groups: readonly number[]; readonly ipv4?: never };

/**
 * Parses an IP address in any spelling. An IPv4 address within an IPv6 address counts as IPv4. Otherwise all clients
 * behind a NAT64 gateway, whose IPv6 addresses differ only in that part, would count as one client. Ignores the zone of
 * an address (RFC 4007 section 11), which names a local network interface. Returns undefined for other texts.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (IPV4.test(text)) return { ipv4: text };
  const groups = groupsOf(text.replace(/%.*$/s, ''));
  if (groups === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return IPV4_IN_IPV6.includes(groups.slice(0, 6).map(hex).join(':'))
    ? { ipv4: [high >> 8, high & 255, low >> 8, low & 255].join('.') }
    : { groups };
}

/**
 * Returns the groups of 16 bits of an IP address in any spelling: two for IPv4, eight for IPv6. Undefined for other
 * texts.
 */
export function groupsOfAddress(text: string): readonly number[] | undefined {
  const address = parseIpAddress(text);
  return address?.groups ?? (address && ipv4Groups(address.ipv4));
}

function ipv4Groups(text: string): readonly [number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Writes an address in its canonical form; IPv6 as RFC 5952 section 4 has it. Two groups are an IPv4 address. */
export function canonicalAddress(groups: readonly number[]): string {
  if (groups.length === 2) return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
  const text = groups.map(hex).join(':');
  // The first of the longest runs of zeros, if it has at least two groups.
  const [longest = ''] = (text.match(/\b0(?::0)+\b/g) ?? []).toSorted((a, b) => b.length - a.length);
  return longest === '' ? text : text.replace(new RegExp(`(?:^|:)${longest}(?:$|:)`), '::');
}

/** Writes a group of an IPv6 address in its shortest form. */
export const hex = (group: number) => group.toString(16);

/** Returns the eight groups of an IPv6 address without a zone; undefined for other texts. */
export function groupsOf(text: string): readonly number[] | undefined {
  const [before, after, ...others] = text.split('::').map(groupsOfPart);
  if (before === undefined || others.length > 0) return undefined;
  if (!text.includes('::')) return before.length === 8 ? before : undefined;
  if (after === undefined || before.length + after.length > 7) return undefined;
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** Returns the groups in the part of an address before or after `::`. An IPv4 address at the end becomes two groups. */
function groupsOfPart(text: string, index: number, parts: readonly string[]): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const last = groups.at(-1) ?? '';
  if (index === parts.length - 1 && IPV4.test(last)) {
    groups.splice(-1, 1, ...ipv4Groups(last).map(hex));
  }
  return groups.every((group) => GROUP.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}

/**
 * Returns the network that one client controls: its IPv4 address, or the /64 network of its IPv6 address, because an
 * IPv6 client can use any address in its /64. All spellings of an address give the same text, such as `192.0.2.7/32` or
 * `2001:db8:0:0::/64`.
 *
 * @throws RangeError if the text is not an IP address
 */
export function clientNetwork(text: string): string {
  const address = parseIpAddress(text);
  if (!address) throw new RangeError('the address of a client is not an IP address');
  return address.groups ? `${address.groups.slice(0, 4).map(hex).join(':')}::/64` : `${address.ipv4}/32`;
}
