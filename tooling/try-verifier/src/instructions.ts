import { join, relative } from 'node:path';
import { ROOT } from './root.ts';

export interface Started {
  readonly url: string;
  readonly ordersUrl: string;
  /** The data folder of the server. */
  readonly folder: string;
  readonly token: { readonly id: string; readonly secret: string };
}

/** Explains how to see that the service accepts a token, and refuses it when it is revoked, with commands to paste. */
export function instructions({ url, ordersUrl, folder, token }: Started): string {
  const curl = (...options: readonly string[]) =>
    ['curl -i', ...options, `-H 'Authorization: Bearer ${token.secret}'`, ordersUrl].join(' ');
  const command = join(relative('', ROOT), 'gatehouse');
  return `
  Gatehouse serves ${url}. A service for orders, packages/verifier/examples/orders.ts, serves ${ordersUrl}

  1. The service accepts a token with the scope orders:read: 200

    ${curl()}

  2. It refuses the token where another scope is required: 403

    ${curl('-X POST')}

  3. Revoke the token at Gatehouse

    GATEHOUSE_DATA_DIR=${folder} GATEHOUSE_AS=ada@acme.example ${command === 'gatehouse' ? './gatehouse' : command} token revoke --yes ${token.id}

  4. The service refuses it from then on: 401

    ${curl()}

  Ctrl-C stops both, and removes their data.

`;
}
