import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hasHaproxy } from '../stage/haproxy.ts';

/** Where Debian has the programs of the PostgreSQL that patroni.yml names. */
const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

const runs = (program: string) => spawnSync(program, ['--version']).status === 0;

const found: Readonly<Record<string, boolean>> = {
  haproxy: hasHaproxy,
  patroni: runs('patroni'),
  'etcd-server': runs('etcd'),
  'postgresql-15': existsSync(POSTGRES),
};

const missing = Object.keys(found).filter((name) => !found[name]);

/** Why faults under Patroni cannot be tested here; undefined if they can. */
export const whyImpossible: string | undefined =
  process.platform !== 'linux'
    ? 'this is not Linux'
    : missing.length > 0
      ? `these packages of Debian are not installed: ${missing.join(', ')} (apt-get install --no-install-recommends haproxy patroni etcd-server postgresql-15 python3-etcd)`
      : undefined;
