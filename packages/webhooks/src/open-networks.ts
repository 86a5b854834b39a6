import { isIP } from 'node:net';
import { err, ok, type Result } from '@gatehouse/domain';
import { createNetworks, type Networks } from './networks.ts';

/** The form of a list of networks, for error messages. */
export const OPEN_NETWORKS_FORM = 'networks such as 10.20.0.0/16 or fd00:1::/32, with commas between them';

/** Parses a list of networks that an operator opens for webhooks. The error is the end of "WEBHOOK_NETWORKS …". */
export function parseOpenNetworks(written: string): Result<Networks, string> {
  const items = written.split(',').map((item) => item.trim());
  return items.every(isNetwork) ? ok(createNetworks(items)) : err(`must be ${OPEN_NETWORKS_FORM}`);
}

function isNetwork(item: string): boolean {
  const [address = '', prefix = '', ...more] = item.split('/');
  const version = isIP(address);
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
  return version !== 0 && more.length === 0 && isPrefix && !address.includes('%');
}
