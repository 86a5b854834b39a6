import { groupsOfAddress } from '../../ip-address.ts';
import { type AddressOfUse, KEPT_ADDRESSES } from '../usage/token-usage.ts';
import { hasAddress, type Network, networkOfPrefix } from './network.ts';

/** Networks that would allow all stored addresses from which a token was used. */
export interface ProposedNetworks {
  /** Each with the stored addresses that it has. Empty if no address is stored. */
  readonly networks: readonly { readonly network: Network; readonly addresses: readonly string[] }[];
  /** Whether there may have been more addresses of use than are stored. */
  readonly mayLackAddresses: boolean;
}

/**
 * The prefix lengths of a proposed network with one address, and of one that holds several addresses which are close to
 * each other. A site mostly has a /24 of IPv4 or a /48 of IPv6 (RFC 6177). IPv6 addresses are stored as /64.
 */
const PREFIXES = { ipv4: { one: 32, several: 24 }, ipv6: { one: 64, several: 48 } } as const;

/** Proposes networks from the stored addresses of use, which are kept for 90 days. */
export function proposeNetworks(usedFrom: readonly AddressOfUse[]): ProposedNetworks {
  const addresses = usedFrom.flatMap(({ address }) => {
    const groups = groupsOfAddress(address.replace(/\/64$/, ''));
    return groups === undefined ? [] : [{ address, groups }];
  });
  const networks = new Map<string, ProposedNetworks['networks'][number]>();
  for (const { groups } of addresses) {
    const prefixes = groups.length === 2 ? PREFIXES.ipv4 : PREFIXES.ipv6;
    const wide = networkOfPrefix(groups, prefixes.several);
    const isAlone = addresses.filter((other) => hasAddress(wide, other.groups)).length === 1;
    const network = isAlone ? networkOfPrefix(groups, prefixes.one) : wide;
    const held = addresses.filter((other) => hasAddress(network, other.groups)).map(({ address }) => address);
    networks.set(network.cidr, { network, addresses: held });
  }
  return { networks: [...networks.values()], mayLackAddresses: usedFrom.length >= KEPT_ADDRESSES };
}
