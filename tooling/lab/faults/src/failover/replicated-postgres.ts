import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, openRelay, type Relay } from '@gatehouse/test-database';
import { until } from '../stage/until.ts';
import { type Member, startPrimary, startStandby } from './member.ts';
import { openSwitchedAddress, type SwitchedAddress } from './switched-address.ts';

interface ReplicatedOptions {
  /**
   * Whether a commit waits for the standby. Otherwise it is acknowledged this many milliseconds before it arrives
   * there.
   */
  readonly replication: 'synchronous' | { readonly behindMs: number };
  /** How the address treats connections that lead to a former primary. */
  readonly openConnections: 'closed' | 'kept';
}

/** A primary, its standby and their address. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly address: SwitchedAddress;
  readonly primary: Member;
  /** Kills the primary; the address leads nowhere. */
  killPrimary(): Promise<void>;
  /**
   * Promotes the standby and resolves as soon as it accepts writes; the address leads there. The old primary is left alone.
   */
  promoteStandby(): Promise<void>;
  /** Resolves when the standby has everything that is acknowledged so far. */
  untilCaughtUp(): Promise<void>;
  /** Makes the old primary a standby of the new one; it loses what the new one does not have. */
  replaceStandby(): Promise<void>;
}

/** Starts a primary with the data that `fill` makes, and its standby. Their files are temporary. */
export async function startReplicatedPostgres(
  { replication, openConnections }: ReplicatedOptions,
  fill: (url: string) => Promise<void>,
): Promise<ReplicatedPostgres> {
  await using ending = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-failover-'));
  ending.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // If root runs it, PostgreSQL runs as another user, who has to enter.
  await chmod(folder, 0o755);
  const ports = (await freePorts(2)) as [number, number];
  const address = ending.use(await openSwitchedAddress({ ports, openConnections }));
  const members = new Set<Member>();
  let way: Relay | undefined;
  ending.defer(async () => {
    await way?.[Symbol.asyncDispose]();
    for (const member of members) await member[Symbol.asyncDispose]();
  });

  let primary = await startPrimary(folder, ports[0]);
  members.add(primary);
  await fill(primary.url);
  let standby = await follow(ports[1]);
  address.leadTo(primary);

  /** Starts a standby, and lets commits wait for it from then on. */
  async function follow(port: number): Promise<Member> {
    await way?.[Symbol.asyncDispose]();
    way = undefined;
    let conninfo: string | undefined;
    if (replication !== 'synchronous') {
      way = await openRelay(primary.url, { carry: (pass) => void setTimeout(pass, replication.behindMs) });
      conninfo = `host=127.0.0.1 port=${new URL(way.url).port}`;
    }
    const member = await startStandby(folder, port, primary, conninfo);
    members.add(member);
    if (replication === 'synchronous') {
      await primary.run("alter system set synchronous_standby_names = '*'");
      await primary.run('select pg_reload_conf()');
      await until('commits wait for the standby', async () => {
        const rows = await primary.run("select from pg_stat_replication where sync_state = 'sync'");
        return rows.length === 1;
      });
    }
    return member;
  }

  const kept = ending.move();
  return {
    address,
    get primary() {
      return primary;
    },
    async killPrimary() {
      const killed = primary.kill();
      // Changes on their way to the standby are lost with the machine.
      way?.cutAll();
      address.leadTo(undefined);
      await killed;
      members.delete(primary);
    },
    async promoteStandby() {
      await standby.run('select pg_promote()');
      await until('the standby accepts writes', async () => {
        const [row] = await standby.run<{ standby: boolean }>('select pg_is_in_recovery() as standby');
        return row?.standby === false;
      });
      address.leadTo(standby);
      [primary, standby] = [standby, primary];
    },
    async untilCaughtUp() {
      const [row] = await primary.run<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
      await until('the standby has everything', async () => {
        const rows = await standby.run(`select where pg_last_wal_replay_lsn() >= '${row?.lsn}'`);
        return rows.length === 1;
      });
    },
    async replaceStandby() {
      await standby.kill();
      members.delete(standby);
      standby = await follow(standby.port);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
