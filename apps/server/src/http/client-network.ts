import { isIPv6, SocketAddress } from 'node:net';

/**
 * An address without its zone (RFC 4007 section 11), which says through which of our interfaces the client came; and
 * an IPv4 address as such, however an IPv6 socket writes it (RFC 4291 section 2.5.5.2).
 */
export function plainAddress(written: string): string {
  const address = written.replace(/%.*$/s, '');
  return /^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address;
}

/** What one client has as its own: an IPv4 address, or the /64 of an IPv6 address, within which it may choose. */
export function clientNetwork(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const spelled = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const [head = '', tail] = spelled.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // IPv4 at the end stands for two groups; only the first four are looked at.
    const length = after.length + (tail.includes('.') ? 1 : 0);
    groups.push(...Array.from({ length: 8 - groups.length - length }, () => '0'), ...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
