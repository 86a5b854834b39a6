import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Returns all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** A server that does not answer is asked twice, so that a name takes about five seconds at most. */
const PATIENCE = { timeout: 1500, tries: 2, maxTimeout: 3000 };

/**
 * Asks the DNS servers of the machine for A and AAAA. `dns.lookup` would wait in one of the two threads that the whole
 * process has for that: names of receivers whose servers do not answer would hold up all other connections by name, such
 * as those to the database. The hosts file and search domains do not count either.
 *
 * @param servers instead of those of the machine. For tests.
 */
export function createDnsResolve(servers?: readonly string[]): Resolve {
  return async (name) => {
    const resolver = new Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    return [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  };
}

const addressesOf = (answer: PromiseSettledResult<string[]>, family: 4 | 6): readonly LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
