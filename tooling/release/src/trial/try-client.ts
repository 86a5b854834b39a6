import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';
import { compile } from './compile.ts';
import { ADMIN } from './installed-program.ts';
import type { Room } from './room.ts';
import { expectEqual, type Installation, type Prove } from './try-own-database.ts';

/**
 * Installs the client in an empty folder, and compiles and runs the program of its README against an installed server.
 */
export async function tryClient(
  room: Room,
  { tarball, installation, prove }: { tarball: string; installation: Installation; prove: Prove },
): Promise<void> {
  const { command, server, organization } = installation;
  await room.succeed('npm', ['install', '--offline', tarball]);
  const [, program] =
    /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8')) ?? [];
  writeFileSync(join(room.folder, 'read.ts'), program ?? '');
  compile(room, ['read.ts']);
  prove('@gatehouse/client: npm installs it offline, and the program of its README compiles');
  const created = ['token', 'create', '--as', ADMIN.email, '--name', 'Reader', '--expires-in', '1d'];
  const token = await command([...created, '--scope', 'orgs:read', '--quiet']);
  const env = { GATEHOUSE_URL: server.url, GATEHOUSE_TOKEN: token, ORGANIZATION: organization };
  expectEqual(await room.succeed('node', ['read.js'], { env }), 'Press shop\n');
  prove('@gatehouse/client: it reads an organization from the installed server');
  await command(['token', 'revoke', 'Reader', '--as', ADMIN.email, '--yes']);
  const refused = await room.run('node', ['read.js'], { env });
  const headers = { authorization: `Bearer ${token}` };
  expectEqual((await fetch(`${server.url}/api/v1/orgs/${organization}`, { headers })).status, 401);
  if (refused.status === 0) throw new Error('the client was answered with a revoked token');
  prove('@gatehouse/client: after a revocation on the installed command line, the server refuses the token');
}
