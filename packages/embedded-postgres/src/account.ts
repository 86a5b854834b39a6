import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** A system user, in the form that `spawn` takes. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/** Ways to create a system user: on Debian and Fedora, then on Alpine. */
const CREATE: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', NAME],
];

/**
 * Returns the user that PostgreSQL has to run as, since it refuses to run as root: undefined for an ordinary user; for root
 * the owner of the existing data directory, or else the system user `postgres`, which is created if it does not exist.
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
    `PostgreSQL refuses to run as root, and the system user "${NAME}" could not be created: create it, or start this as an ordinary user.`,
  );
}
