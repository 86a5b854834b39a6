import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const MAPPED = /^::ffff:(?<address>\d+\.\d+\.\d+\.\d+)$/;

/**
 * What one client has as its own, in PostgreSQL's notation: an IPv4 address, or the /64 of an IPv6 address,
 * within which a client may choose. IPv4 written as IPv6 (RFC 4291 section 2.5.5.2) is IPv4. All spellings
 * of an address are one, once PostgreSQL has read it.
 */
export function clientNetwork(text: string): string {
  if (isIPv4(text)) return `${text}/32`;
  // A zone (RFC 4007 section 11) says through which of our interfaces the client came.
  const address = text.replace(/%.*$/s, '');
  if (!isIPv6(address)) throw new RangeError('a sign-in came from something that is no IP address');
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = MAPPED.exec(spelled)?.groups?.address;
  return mapped === undefined ? `${spelled}/64` : `${mapped}/32`;
}
