import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@gatehouse/test-database';

const DEBIAN = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL installed by Debian, client and server; undefined if there is none. */
export function findInstalledPostgres(): string | undefined {
  try {
    const [newest] = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one));
    const programs = newest && join(DEBIAN, newest, 'bin');
    return programs && readdirSync(programs).includes('initdb') ? programs : undefined;
  } catch {
    return undefined;
  }
}

/** Starts it on a port of its own; the superuser `postgres` can connect by its socket only. */
export async function startInstalledPostgres(programs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pg-'));
  const [port] = await freePorts(1);
  const isRoot = userInfo().uid === 0;
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'])), 0);
  const run = (name: string, ...args: string[]) => {
    const command = [join(programs, name), ...args];
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(file, rest, { cwd: '/', stdio: 'ignore' });
  };
  const data = join(folder, 'data');
  run('initdb', `--pgdata=${data}`, '--username=postgres', '--auth-local=trust', '--auth-host=scram-sha-256');
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run('pg_ctl', 'start', '--wait', `--pgdata=${data}`, `--options=${options}`, `--log=${folder}/log`);
  return {
    port,
    /** Replaces sudo, which would ask for a password: commands as `postgres` connect by the socket. */
    sudo: `#!/bin/sh\n[ "$1 $2" = "-u postgres" ] || exit 99\nshift 2\nPGHOST=${folder} PGPORT=${port} PGUSER=postgres exec "$@"\n`,
    stop() {
      run('pg_ctl', 'stop', '--mode=immediate', `--pgdata=${data}`);
      rmSync(folder, { recursive: true });
    },
  };
}
