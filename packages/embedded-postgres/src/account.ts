import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** A system user, as `spawn` takes it. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/** Ways to create a system user: Debian, Fedora and their like, then Alpine. */
const CREATE: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', NAME],
];

/**
 * Whom PostgreSQL has to run as, which refuses to be root: nobody else for an ordinary user; for root whoever
 * owns the existing data directory, else the system user `postgres`, made if there is none.
 */
export async function unprivilegedAccount(dataDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await lstat(dataDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp()) ?? (await create());
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function create(): Promise<Account> {
  for (const [command, ...args] of CREATE) {
    await run(command, args).catch(() => undefined);
    const account = await lookUp();
    if (account !== undefined) return account;
  }
  throw new EmbeddedPostgresError(
    'no_unprivileged_account',
    `PostgreSQL refuses to run as root, and the system user "${NAME}" could not be created: create it, or start this as an ordinary user.`,
  );
}
