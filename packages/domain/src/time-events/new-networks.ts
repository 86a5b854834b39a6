import type { AuditEvent } from '../audit/audit-event.ts';
import { groupsOfAddress } from '../ip-address.ts';
import type { Instant } from '../time/instant.ts';
import { type Network, networkOfPrefix } from '../tokens/networks/network.ts';
import { tokenUsedFromNewNetwork } from './time-event.ts';
import { DAY_MS, type TokenWatch, type WatchedToken } from './token-watch.ts';

/** The sizes of networks: the addresses of one place mostly are in one of these. */
const [IPV4_BITS, IPV6_BITS] = [24, 48];

/** Before a token is used for this many milliseconds (7 days), each of its networks is new. */
const SETTLED_MS = 7 * DAY_MS;

interface Looked {
  readonly events: readonly AuditEvent[];
  readonly watch: Pick<TokenWatch, 'newestAddressAt'>;
}

/**
 * Finds addresses of use that are in no network of an older address. A token that changes its address all the time has
 * no address that is old enough, and so no new network.
 */
export function lookAtNetworks({ record, usedFrom, watch }: WatchedToken, now: Instant): Looked {
  const considered = watch.newestAddressAt ?? Number.NEGATIVE_INFINITY;
  const oldestFirst = usedFrom.toSorted((one, other) => one.firstAt - other.firstAt);
  const settled = (oldestFirst[0]?.firstAt ?? now) + SETTLED_MS;
  const known = new Set<string>();
  const events: AuditEvent[] = [];
  for (const { address, firstAt } of oldestFirst) {
    const network = networkOf(address)?.cidr;
    if (network === undefined) continue;
    if (!known.has(network) && firstAt > considered && firstAt >= settled)
      events.push(tokenUsedFromNewNetwork(record, network, now));
    known.add(network);
  }
  const newest = oldestFirst.at(-1)?.firstAt ?? null;
  const newestAddressAt = newest === null || newest < considered ? watch.newestAddressAt : newest;
  return { events, watch: { newestAddressAt } };
}

/** Returns the network of an address as `AddressOfUse` has it. */
function networkOf(address: string): Network | undefined {
  const groups = groupsOfAddress(address.replace(/\/.*$/, ''));
  return groups && networkOfPrefix(groups, groups.length === 2 ? IPV4_BITS : IPV6_BITS);
}
