import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Address } from './ip-address.ts';

/** Whether this machine has the address now. */
export function isOwn({ family, text }: Address): boolean {
  const own = new BlockList();
  for (const each of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(each.address, each.family === 'IPv4' ? 'ipv4' : 'ipv6');
  return own.check(text, family);
}
