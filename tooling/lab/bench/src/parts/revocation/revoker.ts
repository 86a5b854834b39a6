// Revokes tokens like the command line, in a separate process: each message names a token and its admin, and the reply
// has the time of the acknowledgement.
import { OPERATOR, openInstallation, unwrap } from '@gatehouse/faults/store';
import type { Acknowledgement, Order } from './start-revoker.ts';
import { steadyTime } from './steady-time.ts';

const { DATABASE_URL = '', GATEHOUSE_MASTER_KEY = '' } = process.env;
const store = openInstallation({ DATABASE_URL, GATEHOUSE_MASTER_KEY });

process.on('message', async ({ id, email }: Order) => {
  const admin = unwrap(await store.actAs(email, OPERATOR));
  const { already } = unwrap(await store.revokeToken(admin, { id, reason: null }));
  const at = steadyTime();
  if (already) throw new Error(`${id} was revoked before`);
  process.send?.({ at } satisfies Acknowledgement);
});
process.on('disconnect', () => void store[Symbol.asyncDispose]());
