import { execFileSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@gatehouse/test-database';
import { answers, execute, type OwnPostgres, spawnPostgres } from '../stage/postgres.ts';
import { until } from '../stage/until.ts';

/** PostgreSQL 17.6, whose notification queue can break; available for Linux on x64. */
const PACKAGE = 'postgres-17.6';

export const hasOlderPostgres = canResolve();

/** Its user is a superuser, unlike that of the embedded PostgreSQL. */
export type OlderPostgres = Pick<OwnPostgres, 'url' | 'execute'> & AsyncDisposable;

const SETTINGS = { unix_socket_directories: '', fsync: 'off', autovacuum: 'off' };
const PASSWORD = 'of a test';

export async function startOlderPostgres(): Promise<OlderPostgres> {
  const { initdb, postgres } = await import(PACKAGE);
  await using ending = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-older-postgres-'));
  ending.defer(() => rm(folder, { recursive: true }));
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, PASSWORD);
  const account = accountOfPostgres();
  if (account) for (const path of [folder, data, passwordFile]) await chown(path, account.uid, account.gid);

  const options = { ...account, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } };
  const auth = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(initdb, ['-D', data, ...auth, '--no-sync', '--encoding=UTF8', '--locale=C'], options);
  const [port = 0] = await freePorts(1);
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', port: String(port) };
  ending.use(spawnPostgres(postgres, data, settings, options));
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  await until('PostgreSQL 17.6 answers', () => answers(url));
  const kept = ending.move();
  return {
    url,
    execute: (statement) => execute(url, statement),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** PostgreSQL refuses to run as root; the embedded one has created this user if it did not exist. */
function accountOfPostgres(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'])));
  return { uid: uid as number, gid: gid as number };
}

function canResolve(): boolean {
  try {
    import.meta.resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}
