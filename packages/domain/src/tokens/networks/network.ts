import { canonicalAddress, groupsOfAddress } from '../../ip-address.ts';
import { err, ok, type Result } from '../../result.ts';

/** A network of IP addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3). */
export interface Network {
  /** The canonical text, such as `203.0.113.0/24` or `2001:db8::/32`. */
  readonly cidr: string;
  /** The groups of 16 bits of the first address: two for IPv4, eight for IPv6. */
  readonly groups: readonly number[];
  /** The number of leading bits that all addresses of the network share. */
  readonly prefix: number;
}

const CIDR = /^(?<address>[^/]+)(?:\/(?<prefix>0|[1-9]\d{0,2}))?$/;

/** The number of bits in front of the IPv4 address within an IPv6 address. */
const BITS_BEFORE_IPV4 = 96;

/**
 * Parses a network. An address without a prefix length is a network of one address. The error is the second half of a
 * sentence that begins with the name of the field.
 */
export function parseNetwork(text: string): Result<Network, string> {
  const { address = '', prefix: written } = CIDR.exec(text)?.groups ?? {};
  if (address.includes('%'))
    return err(`has the zone in "${text}", which names an interface of one machine: leave out the zone`);
  const groups = groupsOfAddress(address);
  if (groups === undefined) return err(notANetwork(text));
  // An IPv4 address can be written as IPv6. Its prefix length then counts the 96 bits in front of it, too.
  const isMapped = groups.length === 2 && address.includes(':');
  const longest = groups.length * 16;
  const prefix = written === undefined ? longest : Number(written) - (isMapped ? BITS_BEFORE_IPV4 : 0);
  if (prefix > longest || prefix < 0) return err(notANetwork(text));
  if (prefix === 0)
    return err(`has "${text}", which is every address: to allow the token everywhere, give it no networks`);
  const network = networkOfPrefix(groups, prefix);
  return network.groups.every((group, index) => group === groups[index])
    ? ok(network)
    : err(`has "${text}", which has bits after the first ${prefix}: did you mean ${network.cidr}?`);
}

/** Returns the network of this size that has the address with these groups. */
export function networkOfPrefix(groups: readonly number[], prefix: number): Network {
  const first = groups.map((group, index) => group & maskOf(prefix - index * 16));
  return Object.freeze({
    cidr: `${canonicalAddress(first)}/${prefix}`,
    groups: Object.freeze(first),
    prefix,
  });
}

const notANetwork = (text: string) =>
  `has "${text}", which is no network: write one such as 203.0.113.0/24, 2001:db8::/32 or 203.0.113.7`;

/** The mask of one group, of whose bits this many belong to the network. */
const maskOf = (bits: number) => (bits >= 16 ? 0xffff : bits <= 0 ? 0 : (0xffff << (16 - bits)) & 0xffff);

/** Whether the network has the address with these groups. An IPv4 address is only in networks of IPv4. */
export function hasAddress({ groups, prefix }: Network, address: readonly number[]): boolean {
  if (groups.length !== address.length) return false;
  for (let index = 0, bits = prefix; bits > 0; index += 1, bits -= 16) {
    const differing = (groups[index] as number) ^ (address[index] as number);
    if (differing !== 0 && (bits >= 16 || differing >> (16 - bits) !== 0)) return false;
  }
  return true;
}
