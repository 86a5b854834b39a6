// A separate process, so that it slows no other client: clients of one network, each on its own connection, that sign
// in again as soon as they are answered, ignoring Retry-After. Prints the responses by status.
import { setTimeout as delay } from 'node:timers/promises';
import { createKeptConnection } from '../stage/kept-connection.ts';
import { signInRequest } from './sign-in-request.ts';

const [url = '', network = '', clients = '', lastsMs = ''] = process.argv.slice(2);
const connections = Array.from({ length: Number(clients) }, () => createKeptConnection(url));
const counts: Record<number, number> = {};
let over = false;

await Promise.all(connections.map((connection) => connection.open()));
process.stdout.write('open\n');
const signingIn = connections.map(async (connection, index) => {
  const fields = { email: `user-${index}@acme.example`, password: 'a wrong password' };
  const request = signInRequest(fields, `${network}${index.toString(16)}`);
  while (!over) {
    const { status } = await connection.exchange(request, false);
    if (!over) counts[status] = (counts[status] ?? 0) + 1;
  }
});
// Does not wait for active requests at the end.
await Promise.race([Promise.all(signingIn), delay(Number(lastsMs))]);
over = true;
process.stdout.write(JSON.stringify(counts), () => process.exit());
