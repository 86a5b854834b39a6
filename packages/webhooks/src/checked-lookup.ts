import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { addressOf } from './ip-address.ts';
import type { Networks } from './networks.ts';
import { isRefused } from './refused-addresses.ts';
import type { Resolve } from './resolve-by-dns.ts';

/** The error if a name has no address. */
export class NameNotResolved extends Error {}

/** The error if a name has an address to which no message is sent. */
export class AddressRefused extends Error {}

/**
 * Creates the function with which a connection finds the addresses of its receiver. If one of them is refused, all are.
 * The connection is made to the addresses that were checked: the name is not resolved a second time, when it could have
 * other addresses.
 */
export function createCheckedLookup(resolve: Resolve, networks: Networks | undefined): LookupFunction {
  return (name, { all }, callback) => {
    addressesOf(resolve, name, networks).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

type SomeAddresses = readonly [LookupAddress, ...LookupAddress[]];

async function addressesOf(
  resolve: Resolve,
  name: string,
  networks: Networks | undefined,
): Promise<SomeAddresses> {
  const found = await resolve(name).catch((error: unknown) => {
    throw new NameNotResolved('the name cannot be resolved', { cause: error });
  });
  const [first, ...others] = found;
  if (!first) throw new NameNotResolved('the name has no address');
  for (const { address } of found) {
    const parsed = addressOf(address);
    if (!parsed || isRefused(parsed, networks)) throw new AddressRefused('an address of the name is refused');
  }
  return [first, ...others];
}
