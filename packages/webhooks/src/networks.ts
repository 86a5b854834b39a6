import { BlockList } from 'node:net';
import type { Address } from './ip-address.ts';

/**
 * IP networks. Each family has a list of its own: `BlockList` would also compare an IPv4 address with IPv6 networks, as if
 * it was mapped.
 */
export interface Networks {
  has(address: Address): boolean;
}

/** @param networks such as `10.0.0.0/8` and `fc00::/7` */
export function createNetworks(networks: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    lists[family].addSubnet(address, Number(prefix), family);
  }
  return { has: ({ family, text }) => lists[family].check(text, family) };
}
