import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Address } from './ip-address.ts';

/** The addresses of a machine. */
export type Interfaces = typeof networkInterfaces;

/** Whether this machine has the address now. */
export function isOwn({ family, text }: Address, interfaces: Interfaces = networkInterfaces): boolean {
  const own = new BlockList();
  for (const each of Object.values(interfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(each.address, each.family === 'IPv4' ? 'ipv4' : 'ipv6');
  return own.check(text, family);
}
