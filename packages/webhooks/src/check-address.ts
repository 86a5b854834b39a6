import { err, ok, type Result } from '@gatehouse/domain';
import { addressOf } from './ip-address.ts';
import type { Networks } from './networks.ts';
import type { Interfaces } from './own-addresses.ts';
import { isRefused } from './refused-addresses.ts';

export interface AddressRules {
  /** The networks that the operator opened, if any. */
  readonly networks: Networks | undefined;
  readonly allowHttp: boolean;
  /** For tests. Default: the addresses of this machine. */
  readonly interfaces?: Interfaces;
}

/**
 * Parses the URL of a receiver. `URL` reads IP addresses in every spelling that browsers know, such as `0x7f.1`, so what
 * is checked is what is connected to. A name is checked when it is resolved.
 */
export function parseReceiver(
  text: string,
  { networks, allowHttp, interfaces }: AddressRules,
): Result<URL, string> {
  const url = URL.parse(text);
  if (url === null || url.hostname === '')
    return err('must be a URL such as https://hooks.example/gatehouse');
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    return err(
      allowHttp
        ? 'must begin with https:// or http://'
        : 'must begin with https://, unless the operator allows http (WEBHOOK_HTTP=allow)',
    );
  if (url.username !== '' || url.password !== '') return err('must not contain a user or a password');
  const address = addressOf(url.hostname);
  if (address && isRefused(address, networks, interfaces))
    return err(
      'must not be in a private or reserved network, unless the operator opens it (WEBHOOK_NETWORKS)',
    );
  url.hash = '';
  return ok(url);
}
