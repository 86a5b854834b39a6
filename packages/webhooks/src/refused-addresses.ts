import { type Address, ipv4Within } from './ip-address.ts';
import { createNetworks, type Networks } from './networks.ts';
import { type Interfaces, isOwn } from './own-addresses.ts';

/**
 * Networks that are not on the public internet: the registries of special-purpose addresses of IANA (RFC 6890). Of IPv6,
 * only 2000::/3 is public, so everything else is refused: also mapped, translated, unique local, link-local and multicast
 * addresses.
 */
const NOT_PUBLIC = createNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  // Carrier-grade NAT.
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  // Documentation, here and below.
  '192.0.2.0/24',
  // Relays of 6to4.
  '192.88.99.0/24',
  '192.168.0.0/16',
  // Benchmarks.
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved, and broadcast.
  '224.0.0.0/3',
  '::/3',
  // Teredo, ORCHID, benchmarks and other assignments of the IETF.
  '2001::/23',
  '2001:db8::/32',
  // 6to4.
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
]);

/**
 * Where clouds answer with the credentials of a machine. No setting opens these. All link-local addresses are among them,
 * because no receiver of events is there.
 */
const METADATA = createNetworks([
  '169.254.0.0/16',
  'fe80::/10',
  // AWS.
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  // Google Cloud.
  'fd20:ce::254/128',
  // Alibaba Cloud.
  '100.100.100.200/32',
  // Scaleway.
  'fd00:42::42/128',
  // Oracle Cloud.
  '192.0.0.192/32',
  'fd00:c1::a9fe:a9fe/128',
  // Azure.
  '168.63.129.16/32',
]);

/**
 * Whether no message is sent to this address. The public addresses of this machine are refused, too: a connection to one
 * of them does not leave the machine, so no firewall checks it, and it reaches ports that are not public. An IPv6 address
 * that contains IPv4 addresses is refused if it or one of them is: a gateway could lead there.
 *
 * @param opened the networks that the operator opened
 * @param interfaces the addresses of this machine; tests give others
 */
export function isRefused(address: Address, opened: Networks | undefined, interfaces?: Interfaces): boolean {
  return [address, ...ipv4Within(address)].some(
    (each) => METADATA.has(each) || ((NOT_PUBLIC.has(each) || isOwn(each, interfaces)) && !opened?.has(each)),
  );
}
