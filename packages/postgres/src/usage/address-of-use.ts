import { SocketAddress } from 'node:net';
import { clientNetwork } from '../sign-in/client-network.ts';

/**
 * Returns an address of use as it is kept: an IPv4 address, or the /64 of an IPv6 address in its shortest form (RFC 5952).
 * Undefined for text that is not an address: a connection that has ended has none.
 */
export function addressOfUse(text: string): string | undefined {
  if (text === '') return undefined;
  let network: string;
  try {
    network = clientNetwork(text);
  } catch {
    return undefined;
  }
  const [address = '', bits] = network.split('/');
  return bits === '32' ? address : `${shortest(address)}/${bits}`;
}

function shortest(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address;
}
