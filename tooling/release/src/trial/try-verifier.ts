import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';
import { freePorts } from '@gatehouse/test-database/free-ports';
import { compile } from './compile.ts';
import { ADMIN } from './installed-program.ts';
import type { Room } from './room.ts';
import type { Installation, Prove } from './try-own-database.ts';
import { until } from './wait.ts';

/** A verifier refuses a revoked token within a second; this is for slow machines. In seconds. */
const REFUSAL_LIMIT = 10;

/** Installs the verifier in an empty folder, and runs the service of its README beside an installed server. */
export async function tryVerifier(
  room: Room,
  { tarball, installation, prove }: { tarball: string; installation: Installation; prove: Prove },
): Promise<void> {
  const { command, server } = installation;
  await room.succeed('npm', ['install', '--offline', tarball]);
  cpSync(join(ROOT, 'packages/verifier/examples/orders.ts'), join(room.folder, 'orders.ts'));
  compile(room, ['orders.ts']);
  prove('@gatehouse/verifier: npm installs it offline, and the service of its README compiles');

  await command(['service', 'create', 'orders', '--description', 'Order desk', '--open-to', 'all']);
  const scope = ['service', 'scope', 'add', 'orders:read', '--label', 'Read orders'];
  await command([...scope, '--allows', 'List and read all orders of the account.']);
  const credential = await command(['service', 'credential', 'create', 'orders', '--quiet']);
  const created = ['token', 'create', '--as', ADMIN.email, '--name', 'Shop', '--expires-in', '1d'];
  const token = await command([...created, '--scope', 'orders:read', '--quiet']);
  const [port] = await freePorts(1);
  const service = room.start('node', ['orders.js'], {
    env: { GATEHOUSE_URL: server.url, GATEHOUSE_CREDENTIAL: credential, PORT: `${port}` },
  });
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${port}`, { headers: { authorization: `Bearer ${token}` } })).status;
  await until('the service accepts the token', 200, ask);
  await command(['token', 'revoke', 'Shop', '--as', ADMIN.email, '--yes']);
  await until('the service refuses the revoked token', 401, ask, REFUSAL_LIMIT);
  prove(
    '@gatehouse/verifier: a service accepts a token, and refuses it after a revocation on the installed command line',
  );
  await service.stop();
}
