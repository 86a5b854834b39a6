import { MIN_NODE } from '@gatehouse/setup/runtime';
import {
  ADMIN,
  COMMAND,
  type InstalledCommand,
  type InstalledServer,
  installedCommand,
  SERVER,
  startServer,
} from './installed-program.ts';
import { machineNodeMajor } from './machine-node.ts';
import type { Room } from './room.ts';

/** Says what was proved, in one line. */
export type Prove = (line: string) => void;

/** An installed server with an account, a user and an organization. */
export interface Installation {
  readonly command: InstalledCommand;
  readonly server: InstalledServer;
  /** The id of the organization `Press shop`. */
  readonly organization: string;
}

/**
 * Installs both programs in an empty folder by the machine's own Node, and starts them on a database of their own.
 *
 * @param databaseUrl of an empty database
 */
export async function tryOwnDatabase(
  room: Room,
  {
    tarball,
    version,
    databaseUrl,
    prove,
  }: { tarball: string; version: string; databaseUrl: string; prove: Prove },
): Promise<Installation> {
  await room.succeed('npm', ['install', tarball]);
  prove('gatehouse: npm installs it in an empty folder');
  await tryOlderNode(room, prove);
  expectEqual(await room.succeed(COMMAND, ['--version']), `${version}\n`);
  prove(`gatehouse: --version prints ${version}`);

  const env = {
    DATABASE_URL: databaseUrl,
    GATEHOUSE_MASTER_KEY: (await room.succeed(COMMAND, ['key', 'new-master'])).trim(),
    WORKERS: '2',
  };
  const command = installedCommand(room, env);
  await command(['migrate']);
  const account = await command(['account', 'create', '--name', 'Acme', '--quiet']);
  const user = [
    'user',
    'create',
    '--account',
    account,
    '--email',
    ADMIN.email,
    '--name',
    'Ada',
    '--role',
    'admin',
  ];
  await command([...user, '--password-stdin'], ADMIN.password);
  const organization = await command(['org', 'create', '--account', account, '--name', 'Press shop']);
  prove('gatehouse: migrate, account create, user create and org create work with DATABASE_URL');

  const server = await startServer(room, env);
  prove('gatehouse-server: starts with WORKERS=2, and /ready answers 200');
  await trySignIn(server.url, organization);
  prove(
    'gatehouse-server: a sign-in hashes a password and returns a token, and the token reads the organization',
  );
  await tryPages(server.url);
  prove('gatehouse-server: /docs, its style sheet and /openapi.json are served');
  return { command, server, organization };
}

/** Under a Node that is too old, both programs name the command that installs a newer one, and then run. */
async function tryOlderNode(room: Room, prove: Prove): Promise<void> {
  const major = machineNodeMajor();
  if (major >= MIN_NODE) {
    prove(`SKIPPED: a Node older than ${MIN_NODE} was not tried: the machine has Node ${major}`);
    return;
  }
  for (const program of [COMMAND, SERVER]) {
    const { status, stderr } = await room.run(program, []);
    const [, install] = /run "(npm install [^"]+)"/.exec(stderr) ?? [];
    if (status !== 1 || install === undefined)
      throw new Error(`${program} under Node ${major} ended with ${status}: ${stderr}`);
    if (program === SERVER) await room.succeed('npm', install.split(' ').slice(1));
  }
  prove(
    `gatehouse: under Node ${major} it names the command that installs a newer Node, which then runs both programs`,
  );
}

async function trySignIn(url: string, organization: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/auth.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`the sign-in was answered with ${answer.status}`);
  const read = await fetch(`${url}/api/v1/orgs/${organization}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { name } = (await read.json()) as { name?: string };
  expectEqual(name, 'Press shop');
}

async function tryPages(url: string): Promise<void> {
  const page = await (await fetch(`${url}/docs`)).text();
  const [, style] = /href="([^"]+\.css)"/.exec(page) ?? [];
  if (style === undefined) throw new Error('/docs names no style sheet');
  for (const path of [style, '/openapi.json']) expectEqual((await fetch(new URL(path, url))).status, 200);
}

/** @throws Error if they differ */
export function expectEqual(found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
}
