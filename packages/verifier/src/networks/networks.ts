import { isAddress } from '../wire.ts';

/** The networks from which a token may be used. They are parsed once, when Gatehouse answers. */
export type Networks = readonly Network[];

interface Network {
  /** The groups of 16 bits of the first address: two for IPv4, eight for IPv6. */
  readonly groups: readonly number[];
  /** How many leading bits all addresses of the network share. */
  readonly prefix: number;
}

/** The IPv6 prefixes of IPv4 addresses: mapped (RFC 4291 section 2.5.5.2), and translated by NAT64 (RFC 6052). */
const IPV4_IN_IPV6 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** @throws TypeError if it is not a network as Gatehouse writes it, such as `203.0.113.0/24` */
export function parseNetwork(text: string): Network {
  const [address = '', prefix = ''] = text.split('/');
  const groups = groupsOf(address);
  if (!groups || !/^\d+$/.test(prefix) || Number(prefix) > groups.length * 16)
    throw new TypeError('is not a network');
  return { groups, prefix: Number(prefix) };
}

/**
 * Whether the client is outside of all networks, by the rule of Gatehouse. An address that is not known is outside. The
 * zone of an address is ignored.
 */
export function isOutside(networks: Networks, address: string | undefined): boolean {
  const groups = groupsOf(address);
  return !groups || !networks.some((network) => has(network, groups));
}

function has({ groups, prefix }: Network, address: readonly number[]): boolean {
  if (groups.length !== address.length) return false;
  for (let index = 0, bits = prefix; bits > 0; index += 1, bits -= 16) {
    const differs = (groups[index] as number) ^ (address[index] as number);
    if (differs >> Math.max(0, 16 - bits) !== 0) return false;
  }
  return true;
}

/** The groups of an address; two if it is IPv4, also as part of an IPv6 address. Undefined for other texts. */
function groupsOf(text: string | undefined): readonly number[] | undefined {
  if (!isAddress(text)) return undefined;
  if (!text.includes(':')) return ipv4Groups(text);
  const plain = text
    .replace(/%.*$/s, '')
    .replace(/[\d.]+$/, (last) => (last.includes('.') ? ipv4AsIpv6(last) : last));
  const [before = [], after] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  const groups = [...before, ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
  const first = groups.slice(0, 6).map((group) => group.toString(16));
  return IPV4_IN_IPV6.includes(first.join(':')) ? groups.slice(6) : groups;
}

function ipv4Groups(text: string): readonly [number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const ipv4AsIpv6 = (text: string) =>
  ipv4Groups(text)
    .map((group) => group.toString(16))
    .join(':');
