import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ReplicatedPostgres } from './replicated-postgres.ts';

const execute = promisify(execFile);

interface Sizes {
  /** How long idle servers are watched, in milliseconds. */
  readonly quietMs: number;
  /** How many connections are made to measure one. */
  readonly visits: number;
}

/** Clock ticks a second in /proc, which are always 100. */
const TICKS = 100;

/**
 * Counts the connections that idle servers make, and measures the cost of such a connection for the database's machine.
 * Most of the cost is a process of PostgreSQL, so this also measures a process that does nothing.
 */
export async function measureProbes({ primary }: ReplicatedPostgres, { quietMs, visits }: Sizes) {
  const sessions = async () => {
    const [row] = await primary.run<{ sessions: string }>(
      "select sessions from pg_stat_database where datname = 'gatehouse'",
    );
    return Number(row?.sessions);
  };
  const before = await sessions();
  await delay(quietMs);
  const perSecond = ((await sessions()) - before) / (quietMs / 1000);

  const cpuBefore = await cpuMs(primary.pid);
  const since = performance.now();
  for (let count = 0; count < visits; count += 1) await visit(primary.url);
  const took = performance.now() - since;
  const cpu = (await cpuMs(primary.pid)) - cpuBefore;
  const ownBefore = await cpuMs(process.pid, 'children');
  for (let count = 0; count < visits; count += 1) await execute('true');
  const cpuMsPerProcess = ((await cpuMs(process.pid, 'children')) - ownBefore) / visits;
  // The servers make their own connections meanwhile.
  return { perSecond, cpuMsPerConnection: cpu / (visits + (perSecond * took) / 1000), cpuMsPerProcess };
}

/** Like a probe, this authenticates by SCRAM and asks one question. */
async function visit(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select system_identifier, pg_walfile_name(pg_current_wal_lsn()) from pg_control_system()',
  );
  await client.end();
}

/** The CPU time of a process's children that have ended, such as closed sessions of PostgreSQL, and its own. */
async function cpuMs(pid: number, of: 'all' | 'children' = 'all'): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(of === 'all' ? 11 : 13, 15).reduce((sum, each) => sum + Number(each), 0);
  return (ticks * 1000) / TICKS;
}
