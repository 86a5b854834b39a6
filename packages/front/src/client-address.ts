import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/**
 * The largest number of addresses in `X-Forwarded-For` that are checked. No real chain of proxies is longer, but a
 * client can send thousands of addresses.
 */
const MAX_HOPS = 32;

/** Returns the IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Creates the function that finds a request's client. Without trusted proxies, the client is the other end of the
 * connection. Behind trusted proxies, the client is the last address in `X-Forwarded-For` that is not a trusted proxy.
 * The addresses before that address are ignored, because the client may have made them up.
 */
export function createClientAddress(trusted: BlockList | undefined): ClientAddress {
  if (!trusted) return peerAddress;
  return (request) => {
    let client = peerAddress(request);
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .slice(-MAX_HOPS);
    while (isAmong(trusted, client) && hops.length > 0) {
      const hop = parseHop(hops.pop() as string);
      if (hop === undefined) break;
      client = hop;
    }
    return client;
  };
}

export function isAmong(addresses: BlockList, address: string): boolean {
  return addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function peerAddress({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '');
}

/**
 * Parses an address from `X-Forwarded-For`. Proxies write it with or without a port, and IPv6 with or without brackets.
 */
function parseHop(text: string): string | undefined {
  const [, bracketed, withPort] = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(text.trim()) ?? [];
  const address = bracketed ?? withPort ?? text.trim();
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/**
 * Returns an address in its plain form: without a zone, which names a network interface of this machine (RFC 4007
 * section 11). An IPv4 address that an IPv6 socket writes as `::ffff:192.0.2.1` (RFC 4291 section 2.5.5.2) is returned
 * as `192.0.2.1`.
 */
export function plainAddress(written: string): string {
  // Nearly all addresses are plain already. For these, this check saves three quarters of the time.
  if (!written.startsWith('::') && !written.includes('%')) return written;
  const address = written.replace(/%.*$/s, '');
  return /^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address;
}
