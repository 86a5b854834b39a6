import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../../../docs/operate/patroni/', import.meta.url);

/** The ports of a member on this machine. */
export interface MemberPorts {
  readonly rest: number;
  readonly postgres: number;
}

/** A member's own ports, and how others reach it. */
export interface MemberPlace {
  readonly name: string;
  readonly folder: string;
  readonly own: MemberPorts;
  /** The relays in front of the member. */
  readonly reached: MemberPorts;
  /** The relay in front of etcd, for this member. */
  readonly etcd: number;
}

/** The passwords in the documented patroni.yml. */
export const [SUPERUSER_PASSWORD, ROLE_PASSWORD] = ['change-me-superuser', 'of-a-test'];

/** The documented patroni.yml with the addresses, the folder and the name of a member on this machine. */
export async function memberConfiguration({
  name,
  folder,
  own,
  reached,
  etcd,
}: MemberPlace): Promise<string> {
  return edited(await readFile(new URL('patroni.yml', FOLDER), 'utf8'), [
    ['name: db1', `name: ${name}`],
    ['  listen: 192.0.2.21:8008', `  listen: 127.0.0.1:${own.rest}`],
    ['connect_address: 192.0.2.21:8008', `connect_address: 127.0.0.1:${reached.rest}`],
    // Patroni would otherwise ask etcd for its address, and go past the relay.
    [/ {2}hosts: .*/, `  hosts: 127.0.0.1:${etcd}\n  use_proxies: true`],
    ['  listen: 192.0.2.21:5432', `  listen: 127.0.0.1:${own.postgres}`],
    ['connect_address: 192.0.2.21:5432', `connect_address: 127.0.0.1:${reached.postgres}`],
    [
      /data_dir: .*/,
      [
        `data_dir: ${folder}/data`,
        `  pgpass: ${folder}/pgpass`,
        '  parameters:',
        `    unix_socket_directories: ${folder}`,
        // Processes are killed, not machines: what they wrote is not lost, and this machine has slow disks at times.
        "    fsync: 'off'",
        '  basebackup:',
        '    - no-sync',
        '    - checkpoint: fast',
      ].join('\n'),
    ],
    ['replication replicator 192.0.2.0/24', 'replication replicator 127.0.0.0/8'],
    ['host all all 192.0.2.0/24', 'host all all 127.0.0.0/8'],
    // No test may restart this machine.
    ['mode: automatic', 'mode: off'],
  ]);
}

export interface ProxyPlace {
  readonly port: number;
  readonly members: readonly MemberPlace[];
  /** Whether it closes the connections to a member that no longer leads, as documented. */
  readonly closesOldConnections: boolean;
}

/** The documented haproxy.cfg with the addresses of this machine. */
export async function proxyConfiguration({
  port,
  members,
  closesOldConnections,
}: ProxyPlace): Promise<string> {
  const servers = members.map(
    ({ name, own, reached }) => `  server ${name} 127.0.0.1:${own.postgres} port ${reached.rest}\n`,
  );
  const kept: readonly Change[] = closesOldConnections ? [] : [[' on-marked-down shutdown-sessions', '']];
  return edited(await readFile(new URL('haproxy.cfg', FOLDER), 'utf8'), [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    [/(?:^ {2}server .*\n)+/m, servers.join('')],
    ...kept,
  ]);
}

type Change = readonly [find: string | RegExp, replace: string];

function edited(text: string, changes: readonly Change[]): string {
  return changes.reduce((changed, [find, replace]) => {
    const isFound = typeof find === 'string' ? changed.includes(find) : find.test(changed);
    if (!isFound) throw new Error(`the documented configuration has no ${find}: change the test, too`);
    return changed.replace(find, () => replace);
  }, text);
}
