import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedAccount } from '@gatehouse/embedded-postgres/testing';
import pg from 'pg';
import { until } from '../stage/until.ts';
import { type MemberPlace, type MemberPorts, proxyConfiguration, ROLE_PASSWORD } from './configuration.ts';
import { lastingPorts } from './lasting-ports.ts';
import { type PatroniMember, prepareMember } from './member.ts';
import { openNetwork } from './network.ts';
import { startProgram } from './processes.ts';

const NAMES = ['db1', 'db2', 'db3'];
/**
 * A standby that has more of the log than the promoted one cannot follow it, and Patroni does not always notice. After
 * this time, in milliseconds, the test does as the guide says: `patronictl reinit`.
 */
const STUCK_MS = 20_000;
/** PostgreSQL writes this file when it is promoted. */
const READ_PROMOTION = `select extract(epoch from modification)::float8 * 1000 as ms from
  pg_stat_file('pg_wal/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '.history')`;
const READ_MARK =
  "select shobj_description(oid, 'pg_database') as mark from pg_database where datname = 'postgres'";

/** When clients reach the new primary. Times are milliseconds since 1970. */
export interface FirstAnswer {
  readonly primary: PatroniMember;
  /** When its first answer arrived. */
  readonly at: number;
  /** When it was promoted, by its history of timelines: clients may reach it before its first answer to us. */
  readonly promotedAt: number;
}

export interface PatroniOptions {
  /** Whether haproxy closes the connections to a former leader, as documented. Default: true */
  readonly closesOldConnections?: boolean;
}

/** Three members of Patroni on one etcd, and haproxy, which leads to the leader. */
export interface PatroniCluster extends AsyncDisposable {
  /** The URL of the product's role and database, by haproxy. */
  readonly url: string;
  readonly members: readonly PatroniMember[];
  /** The member that leads, by its own account. */
  leader(): Promise<PatroniMember>;
  /** Returns the member to which a new connection leads, if it is a primary; undefined without one. */
  leadsTo(): Promise<PatroniMember | undefined>;
  /** Resolves when a new connection leads to another primary than this member. */
  untilLedElsewhere(than: PatroniMember): Promise<FirstAnswer>;
  /** The number of standbys that were copied again, because they did not follow by themselves. */
  readonly copied: number;
  /** Resolves when two standbys follow the leader, and one of them is synchronous. */
  untilComplete(): Promise<void>;
  /** Changes the cluster's configuration, as `patronictl edit-config` does. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Cuts a member off from etcd, the other members and haproxy's checks, or heals that; its clients still reach it. */
  cut(member: PatroniMember, isCut: boolean): void;
}

async function hasDecided(etcdUrl: string): Promise<boolean> {
  const response = await fetch(`${etcdUrl}/version`).catch(() => undefined);
  return response !== undefined && /"etcdcluster":"\d/.test(await response.text());
}

/** Starts a cluster with an empty database of the product. Its files are temporary. */
export async function startPatroniCluster({
  closesOldConnections = true,
}: PatroniOptions = {}): Promise<PatroniCluster> {
  await using ending = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-patroni-'));
  ending.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755);
  const account = await unprivilegedAccount(join(folder, 'none'));
  const [etcdPort = 0, peerPort, proxyPort = 0, ...memberPorts] = await lastingPorts(3 + 2 * NAMES.length);

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcd = startProgram(
    'etcd',
    ['--name=etcd1', `--data-dir=${join(folder, 'etcd')}`, '--log-level=warn'].concat(
      [`--listen-client-urls=${etcdUrl}`, `--advertise-client-urls=${etcdUrl}`],
      [`--listen-peer-urls=${peerUrl}`, `--initial-advertise-peer-urls=${peerUrl}`],
      [`--initial-cluster=etcd1=${peerUrl}`],
    ),
    { folder },
  );
  ending.defer(() => etcd.kill());

  const own = NAMES.map(
    (_, index): MemberPorts => ({
      rest: memberPorts[2 * index] as number,
      postgres: memberPorts[2 * index + 1] as number,
    }),
  );
  const network = ending.use(await openNetwork({ etcd: etcdPort, members: own }));
  const places = NAMES.map((name, index): MemberPlace => {
    const { etcd, ...reached } = network.relays[index] as (typeof network.relays)[number];
    return { name, folder: join(folder, name), own: own[index] as MemberPorts, reached, etcd };
  });
  const members: PatroniMember[] = [];
  for (const place of places) {
    const member = ending.use(await prepareMember(place, account));
    if (account) await chown(place.folder, account.uid, account.gid);
    members.push(member);
  }

  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, await proxyConfiguration({ port: proxyPort, members: places, closesOldConnections }));
  const haproxy = startProgram('haproxy', ['-db', '-f', file], { folder });
  ending.defer(() => haproxy.kill());

  const urlOf = (port: number) => `postgres://gatehouse:${ROLE_PASSWORD}@127.0.0.1:${port}/gatehouse`;
  const url = urlOf(proxyPort);
  // The first that starts creates the cluster, and the others copy it.
  const [first, ...others] = members as [PatroniMember, ...PatroniMember[]];
  try {
    // Until then, etcd names no version of the cluster, and Patroni 3.0 ends.
    await until('etcd has decided its version', () => hasDecided(etcdUrl));
    first.start();
    await until('the first member leads', async () => (await first.statusOf('/primary')) === 200);
  } catch (error) {
    const logs = await Promise.all([etcd.log(), first.log()]);
    throw new Error(`${error}\netcd: ${logs[0]}\nPatroni: ${logs[1]}`);
  }
  for (const member of others) member.start();
  await first.run(`create role gatehouse login password '${ROLE_PASSWORD}'`);
  await first.run('create database gatehouse owner gatehouse');

  const leader = async () => {
    let found: PatroniMember | undefined;
    await until('a member leads', async () => {
      for (const member of members) if ((await member.statusOf('/primary')) === 200) found = member;
      return found !== undefined;
    });
    return found as PatroniMember;
  };
  const leadsTo = async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 1000,
      query_timeout: 1000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query(
        'select inet_server_port() as port, pg_is_in_recovery() as is_standby',
      );
      if (rows[0].is_standby) return undefined;
      return members.find(({ place }) => place.own.postgres === rows[0].port);
    } catch {
      return undefined;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  let copied = 0;
  async function untilMarked(member: PatroniMember, mark: string): Promise<void> {
    const since = performance.now();
    let isCopied = false;
    await until(`${member.place.name} has the last change`, async () => {
      const rows = await member.run<{ mark: string }>(READ_MARK).catch(() => []);
      if (!isCopied && rows[0]?.mark !== mark && performance.now() - since > STUCK_MS) {
        isCopied = true;
        copied += 1;
        await member.reinitialize();
      }
      return rows[0]?.mark === mark;
    });
  }
  const cluster: PatroniCluster = {
    get copied() {
      return copied;
    },
    url,
    members,
    leader,
    leadsTo,
    async untilLedElsewhere(than) {
      let primary: PatroniMember | undefined;
      await until('the address leads to another primary', async () => {
        primary = await leadsTo();
        return primary !== undefined && primary !== than;
      });
      const at = performance.timeOrigin + performance.now();
      const [row] = await (primary as PatroniMember).run<{ ms: number }>(READ_PROMOTION);
      return { primary: primary as PatroniMember, at, promotedAt: Math.min(at, row?.ms ?? at) };
    },
    async untilComplete() {
      await until('two standbys follow, and one is synchronous', async () => {
        const states = await Promise.all(members.map((member) => member.statusOf('/health')));
        if (states.some((status) => status !== 200)) return false;
        // Right after it goes on, a Patroni that was frozen still says that it leads.
        const leading = await Promise.all(members.map((member) => member.statusOf('/primary')));
        if (leading.filter((status) => status === 200).length !== 1) return false;
        // Patroni promotes a member only if it has noted that it is synchronous.
        const noted = await Promise.all(members.map((member) => member.statusOf('/synchronous')));
        return noted.includes(200);
      });
      // A former leader may seem to follow before Patroni notices that it has to be rewound.
      const mark = randomUUID();
      await (await leader()).run(`comment on database postgres is '${mark}'`);
      await Promise.all(members.map((member) => untilMarked(member, mark)));
    },
    async configure(settings) {
      const { place } = await leader();
      const response = await fetch(`http://127.0.0.1:${place.own.rest}/config`, {
        method: 'PATCH',
        body: JSON.stringify(settings),
      });
      if (!response.ok) throw new Error(`Patroni refused the configuration: ${await response.text()}`);
    },
    cut: (member, isCut) => network.cut(members.indexOf(member), isCut),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
  await cluster.untilComplete();
  await until('haproxy leads to the leader', async () => (await cluster.leadsTo()) !== undefined);
  const kept = ending.move();
  return cluster;
}
