import { groupsOfAddress } from '../../ip-address.ts';
import { type InvalidInput, invalid, ok, type Result } from '../../result.ts';
import { hasAddress, type Network, parseNetwork } from './network.ts';

export const NETWORK_MODES = ['report-only', 'enforced'] as const;

/**
 * The effect of a list of networks. `report-only`: requests from elsewhere are accepted and recorded, so that an admin
 * sees what would be refused. `enforced`: requests from elsewhere are refused.
 */
export type NetworkMode = (typeof NETWORK_MODES)[number];

/** The networks from which a token may be used. The networks are parsed once, when the record is read. */
export interface TokenNetworks {
  readonly mode: NetworkMode;
  /** At least one, at most `MAX_NETWORKS`, in canonical order without duplicates. */
  readonly list: readonly Network[];
}

/** The largest number of networks of a token. */
export const MAX_NETWORKS = 32;

/** The networks of a token as an admin gives them. */
export interface NetworksInput {
  readonly mode: NetworkMode;
  readonly list: readonly string[];
}

/** Parses the networks of a token. Blank texts are ignored. The error names the network that is wrong. */
export function parseTokenNetworks({ mode, list }: NetworksInput): Result<TokenNetworks, InvalidInput> {
  const found = new Map<string, Network>();
  for (const text of list.map((each) => each.trim()).filter((each) => each !== '')) {
    const network = parseNetwork(text);
    if (!network.ok) return invalid('network', network.error);
    found.set(network.value.cidr, network.value);
  }
  if (found.size === 0) return invalid('network', 'must have at least one network, such as 203.0.113.0/24');
  if (found.size > MAX_NETWORKS)
    return invalid('network', `must have at most ${MAX_NETWORKS} networks, not ${found.size}`);
  return ok(Object.freeze({ mode, list: Object.freeze([...found.values()].toSorted(byAddress)) }));
}

/** Sorts IPv4 before IPv6, then by the first address, then larger networks before smaller ones. */
function byAddress(one: Network, other: Network): number {
  if (one.groups.length !== other.groups.length) return one.groups.length - other.groups.length;
  const at = one.groups.findIndex((group, index) => group !== other.groups[index]);
  return at < 0 ? one.prefix - other.prefix : (one.groups[at] as number) - (other.groups[at] as number);
}

/**
 * Whether the client's address is outside of all networks. An address that is not known, or is no IP address, is
 * outside. IPv4 addresses in IPv6 spelling count as IPv4, and zones are ignored (`parseIpAddress`).
 */
export function isOutside({ list }: TokenNetworks, address: string | undefined): boolean {
  const groups = address === undefined ? undefined : groupsOfAddress(address);
  if (groups === undefined) return true;
  for (const network of list) if (hasAddress(network, groups)) return false;
  return true;
}

/** The networks as texts, for documents and events. */
export const networkTexts = ({ list }: TokenNetworks): readonly string[] => list.map(({ cidr }) => cidr);

/** Whether two tokens may be used from the same networks, with the same effect. */
export function haveSameNetworks(one: TokenNetworks | null, other: TokenNetworks | null): boolean {
  if (one === null || other === null) return one === other;
  return one.mode === other.mode && networkTexts(one).join() === networkTexts(other).join();
}

/** Whether requests from elsewhere than a list of networks are refused. For rules that demand such a list. */
export const isRestricted = (networks: TokenNetworks | null): boolean => networks?.mode === 'enforced';
