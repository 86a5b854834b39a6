// Revokes tokens like the command line, in a separate process: each line of JSON names a token and its admin, and is
// answered with the time of the acknowledgement.
import { createInterface } from 'node:readline';
import { revokeToken } from '@gatehouse/domain/tokens';
import { actAs } from '@gatehouse/domain/users';
import { createSystemClock } from '@gatehouse/installation';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import type { Acknowledgement, Order } from './start-revoker.ts';
import { steadyTime } from './steady-time.ts';

const database = openDatabase({ url: process.argv[2] ?? '', poolSize: 1 });
const repositories = createPostgresRepositories(database);
const findAdmin = actAs(repositories);
const revoke = revokeToken({ ...repositories, clock: createSystemClock() });

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await obey(JSON.parse(line)))}\n`);
}
await database.close();

async function obey({ id, email }: Order): Promise<Acknowledgement> {
  const admin = await findAdmin(email, 'bench');
  if (!admin.ok) throw new Error(admin.error.code);
  const revoked = await revoke(admin.value, { id, reason: null });
  const at = steadyTime();
  if (!revoked.ok || revoked.value.already) throw new Error(`${id} was not revoked`);
  return { at };
}
