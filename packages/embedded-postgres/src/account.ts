import { execFile } from 'node:child_process';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** A user of the operating system, in the form that `spawn` expects. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/** Commands that create a system user: the command of Debian and Fedora, then the command of Alpine. */
const CREATE: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', NAME],
];

/**
 * Returns the user as whom PostgreSQL must run if Gatehouse runs as root, because PostgreSQL refuses to run as root.
 * That is the owner of the data directory. If there is no data directory yet, or root owns it, it is the system user
 * `postgres`, which is created if it does not exist. Undefined if Gatehouse runs as an ordinary user, because then
 * PostgreSQL runs as the same user.
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
    `PostgreSQL refuses to run as root, and the system user "${NAME}" could not be created: create this user, or start Gatehouse as an ordinary user.`,
  );
}

/**
 * Explains why a program failed: names the first folder above one of `paths` that the account may not enter. Usually,
 * that folder is the home of root. Undefined if the account may enter all folders.
 */
export async function findBarrier(account: Account | undefined, paths: readonly string[]) {
  if (account === undefined) return undefined;
  for (const path of paths) {
    for (const folder of ancestors(path)) {
      const { mode, uid, gid } = await stat(folder);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) {
        const shown = (mode & 0o777).toString(8);
        return `PostgreSQL refuses to run as root, and the user as whom it runs instead cannot pass ${folder} (mode ${shown}): move Gatehouse and its data folder to another place, or start Gatehouse as an ordinary user.`;
      }
    }
  }
  return undefined;
}

function ancestors(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...ancestors(parent), parent];
}
