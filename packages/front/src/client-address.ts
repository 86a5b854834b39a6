import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/** The largest number of proxies that are checked. No chain has more, but a header has room for thousands. */
const MAX_HOPS = 32;

/** Returns the IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Without trusted proxies, the client is the other end of the connection. Behind trusted proxies, the client is the last
 * address in `X-Forwarded-For` that is not a trusted proxy. The client itself may have written all addresses before that one.
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

/** Parses an address as proxies write it: with a port or without, IPv6 in brackets or not. */
function parseHop(text: string): string | undefined {
  const [, bracketed, withPort] = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(text.trim()) ?? [];
  const address = bracketed ?? withPort ?? text.trim();
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/**
 * An address without its zone (RFC 4007 section 11), which is the network interface of this machine. An IPv4 address is
 * returned as such, even if an IPv6 socket writes it differently (RFC 4291 section 2.5.5.2).
 */
export function plainAddress(written: string): string {
  // Nearly all addresses are plain, and this check takes a quarter of the time of the lines below.
  if (!written.startsWith('::') && !written.includes('%')) return written;
  const address = written.replace(/%.*$/s, '');
  return /^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address;
}
