// npm run try:verifier: a server with demo data, and beside it a service that accepts its tokens. Prints commands to paste. The
// data is in a temporary folder, and ends with the program.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCommands } from './commands.ts';
import { createOrders } from './create-orders.ts';
import { findPort } from './find-port.ts';
import { instructions } from './instructions.ts';
import { startOrders, startServer, whenStopped } from './programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-try-'));
// If root starts it, PostgreSQL runs as another user.
chmodSync(folder, 0o755);
const stopped = whenStopped();

const server = startServer({ folder, port: await findPort(8080) });
try {
  const url = await Promise.race([server.serving, stopped]);
  if (url !== undefined) {
    const { credential, token } = await createOrders(createCommands(folder));
    const orders = await startOrders({ url, credential, port: await findPort(3000) });
    process.stdout.write(instructions({ url, ordersUrl: orders.url, folder, token }));
    await Promise.race([stopped, orders.ended, server.ended]);
    await orders.stop();
  }
} finally {
  await server.stop();
  // PostgreSQL removes files of its own meanwhile.
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      break;
    } catch {
      await pause(100);
    }
  }
}
