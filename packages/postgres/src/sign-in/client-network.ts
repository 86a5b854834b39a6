import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { NetworkOf } from '@gatehouse/domain/sign-in';

const MAPPED = /^::ffff:(?<address>\d+\.\d+\.\d+\.\d+)$/;
/** The well-known prefix of NAT64, 64:ff9b::/96 (RFC 6052 section 2.1). */
const NAT64 = '64:ff9b:0:0:0:0';

/**
 * Returns the network that belongs to one client, in PostgreSQL's notation: an IPv4 address, or the /64 of an IPv6
 * address, within which a client can choose addresses. IPv4 written as IPv6 (RFC 4291 section 2.5.5.2), or translated
 * to it by a NAT64 gateway, is IPv4: otherwise all clients of a gateway would be one. All spellings give the same
 * text.
 */
export const clientNetwork: NetworkOf = (text) => {
  if (isIPv4(text)) return `${text}/32`;
  // A zone (RFC 4007 section 11) names the local interface, not the client.
  const address = text.replace(/%.*$/s, '');
  if (!isIPv6(address)) throw new RangeError('the address of a sign-in is not an IP address');
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = MAPPED.exec(spelled)?.groups?.address;
  if (mapped !== undefined) return `${mapped}/32`;
  const groups = groupsOf(spelled);
  const [high = '', low = ''] = groups.slice(6);
  if (groups.slice(0, 6).join(':') === NAT64) return `${ipv4Half(high)}.${ipv4Half(low)}/32`;
  return `${groups.slice(0, 4).join(':')}::/64`;
};

/** Returns the eight groups of an address in their shortest form; an IPv4 address at the end is two groups. */
function groupsOf(spelled: string): readonly string[] {
  const [before = [], after] = spelled
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group));
  if (after === undefined) return before;
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** Returns two of the four numbers of an IPv4 address. */
function ipv4Half(group: string): string {
  const bits = Number.parseInt(group, 16);
  return `${bits >> 8}.${bits & 0xff}`;
}
