/** A number of an IPv4 address, as a pattern. */
export const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;
/** IPv4 written as IPv6 (RFC 4291 section 2.5.5.2), and translated to it by a NAT64 gateway (RFC 6052 section 2.1). */
const IPV4_IN_IPV6 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * Returns an address of use as it is kept: an IPv4 address, or the /64 of an IPv6 address in its shortest form
 * (RFC 5952); IPv4 within IPv6 as IPv4. Undefined for text that is not an address: a connection that has ended has none.
 */
export function addressOfUse(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  // A zone (RFC 4007 section 11) names the local interface, not the client.
  const groups = groupsOf(text.replace(/%.*$/s, ''));
  if (groups === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  if (IPV4_IN_IPV6.includes(groups.slice(0, 6).map(hex).join(':'))) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return networkOf(groups);
}

/** Returns the /64 of the first groups of an IPv6 address; those that are missing are 0. */
export function networkOf(groups: readonly number[]): string {
  const network = groups.slice(0, 4);
  // The zeros behind them are the longest run of zeros, which `::` stands for.
  const length = network.findLastIndex((group) => group !== 0) + 1;
  return `${network.slice(0, length).map(hex).join(':')}::/64`;
}

/** A group in its shortest form. */
export const hex = (group: number) => group.toString(16);

/** Returns the eight groups of an IPv6 address without a zone; undefined for other texts. */
export function groupsOf(text: string): readonly number[] | undefined {
  const [before, after, ...others] = text.split('::').map(groupsOfPart);
  if (before === undefined || others.length > 0) return undefined;
  if (!text.includes('::')) return before.length === 8 ? before : undefined;
  if (after === undefined || before.length + after.length > 7) return undefined;
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** Returns the groups before or after `::`; an IPv4 address at the end is two groups. */
function groupsOfPart(text: string, index: number, parts: readonly string[]): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const last = groups.at(-1) ?? '';
  if (index === parts.length - 1 && IPV4.test(last)) {
    const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number);
    groups.splice(-1, 1, hex(a * 256 + b), hex(c * 256 + d));
  }
  return groups.every((group) => GROUP.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}
