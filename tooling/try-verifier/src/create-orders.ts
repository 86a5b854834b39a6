import type { Command } from './commands.ts';

export interface CreatedOrders {
  /** The credential of the service. */
  readonly credential: string;
  readonly token: { readonly id: string; readonly secret: string };
}

/** Creates the service `orders` as the README of the verifier says, and a token that may read orders. */
export async function createOrders(gatehouse: Command): Promise<CreatedOrders> {
  await gatehouse('service', 'create', 'orders', '--description', 'Order desk', '--open-to', 'all');
  const read = 'List and read all orders of the account.';
  await gatehouse('service', 'scope', 'add', 'orders:read', '--label', 'Read orders', '--allows', read);
  const write = 'Create, change and cancel orders.';
  await gatehouse('service', 'scope', 'add', 'orders:write', '--label', 'Change orders', '--allows', write);
  const credential = await gatehouse('service', 'credential', 'create', 'orders');
  const token = await gatehouse('token', 'create', '--name', 'Order desk', '--scope', 'orders:read');
  return {
    credential: String(credential['credential']),
    token: { id: String(token['id']), secret: String(token['token']) },
  };
}
