import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { freePorts } from '@gatehouse/test-database';
import pg from 'pg';
import { answers } from '../stage/postgres.ts';
import { until } from '../stage/until.ts';
import type { Member } from './member.ts';

/** The address of the primary: haproxy in front of all members, as a failover manager configures it. */
export interface SwitchedAddress extends AsyncDisposable {
  /** The URL of the product's role. */
  readonly url: string;
  /** Names the primary, as the failover manager's health checks do; undefined for none. */
  leadTo(member: Member | undefined): void;
  /** Returns the port of the member to which a new connection leads; undefined without one. */
  leadsTo(): Promise<number | undefined>;
}

interface AddressOptions {
  readonly ports: readonly [number, number];
  /** How open connections of a member are treated when it is no longer the primary. */
  readonly openConnections: 'closed' | 'kept';
}

const CHECK_EVERY_MS = 100;

/** A member passes the check of its role if it is named, as with Patroni's `GET /primary` on each machine. */
export async function openSwitchedAddress(options: AddressOptions): Promise<SwitchedAddress> {
  await using ending = new AsyncDisposableStack();
  const primary = new Int32Array(new SharedArrayBuffer(4));
  const roles = new Worker(new URL('roles-thread.ts', import.meta.url), {
    workerData: primary,
    execArgv: [],
  });
  ending.defer(async () => void (await roles.terminate()));
  const [rolesPort] = await once(roles, 'message');

  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-address-'));
  ending.defer(() => rm(folder, { recursive: true }));
  const [port = 0] = await freePorts(1);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, rolesPort, options));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  ending.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const kept = ending.move();
  const placed = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  let url = '';
  return {
    get url() {
      return url;
    },
    leadTo(member) {
      Atomics.store(primary, 0, member?.port ?? 0);
      if (member) url ||= placed(member.url);
    },
    async leadsTo() {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query('select inet_server_port() as port')).rows[0].port;
      } catch {
        return undefined;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Resolves when new connections of the address are answered. */
export const untilLed = ({ url }: SwitchedAddress) =>
  until('the address leads to a primary', () => answers(url));

function configuration(port: number, rolesPort: number, { ports, openConnections }: AddressOptions): string {
  const onDown = openConnections === 'closed' ? 'on-marked-down shutdown-sessions' : '';
  const members = ports.map((each) => {
    const check = `http-check send uri /primary/${each}`;
    return `
backend member-${each}
  mode tcp
  option httpchk
  ${check}
  server postgres 127.0.0.1:${each} check port ${rolesPort} inter ${CHECK_EVERY_MS}ms fall 1 rise 1 ${onDown}`;
  });
  const choices = ports.map((each) => `  use_backend member-${each} if { nbsrv(member-${each}) gt 0 }`);
  return `defaults
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
frontend primary
  mode tcp
  bind 127.0.0.1:${port}
${choices.join('\n')}
  default_backend nowhere
backend nowhere
  mode tcp${members.join('')}
`;
}
