import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { NetworkOf } from '@gatehouse/domain';

const MAPPED = /^::ffff:(?<address>\d+\.\d+\.\d+\.\d+)$/;

/**
 * What one client has as its own, as PostgreSQL reads it: an IPv4 address, or the /64 of an IPv6 address, within
 * which a client may choose. IPv4 written as IPv6 (RFC 4291 section 2.5.5.2) is IPv4. All spellings are one text.
 */
export const clientNetwork: NetworkOf = (text) => {
  if (isIPv4(text)) return `${text}/32`;
  // A zone (RFC 4007 section 11) says through which of our interfaces the client came.
  const address = text.replace(/%.*$/s, '');
  if (!isIPv6(address)) throw new RangeError('a sign-in came from something that is no IP address');
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = MAPPED.exec(spelled)?.groups?.address;
  return mapped === undefined ? `${firstGroups(spelled)}::/64` : `${mapped}/32`;
};

/** The four groups of a /64, of an address in its shortest spelling. */
function firstGroups(spelled: string): string {
  const [before, after] = spelled.split('::').map((groups) => groups.split(':').filter((group) => group));
  if (before === undefined || after === undefined) return spelled.split(':').slice(0, 4).join(':');
  // Where IPv4 is written at the end, as one group for two, more than four zeros come before it.
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
