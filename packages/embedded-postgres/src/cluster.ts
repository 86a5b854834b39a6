import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

/** A PostgreSQL cluster in a data folder. */
export interface Cluster {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  /** The user that PostgreSQL runs as, if it is not the current user. */
  readonly account: Account | undefined;
  /** Additional server settings; effective only if this process starts the server. */
  readonly settings: Readonly<Record<string, string>>;
}

export type ClusterPaths = Readonly<ReturnType<typeof clusterPaths>>;

/** The files of a cluster. Files that belong together are in one folder, so that one rename makes them appear. */
export function clusterPaths(folder: string) {
  const data = join(folder, 'data');
  return {
    folder,
    /** PostgreSQL's own data directory. */
    data,
    /** The password of the role that our programs use. If the file exists, the cluster is set up. */
    password: join(folder, 'app-password'),
    /** The folder of the server's socket, or a symbolic link to it if this path is too long for a socket. */
    socket: join(folder, 'socket'),
    log: join(folder, 'postgres.log'),
    postmasterFile: join(data, 'postmaster.pid'),
    /** Files of older versions, whose server listened on a port and whose programs were superusers. */
    older: { password: join(folder, 'password'), port: join(folder, 'port') },
  };
}

/** The name of the database. */
export const DATABASE = 'postgres';

/** The role of our programs: it owns the database and has no other right. */
export const APP_ROLE = 'gatehouse_app';

/** The superuser, created by initdb. It cannot log in and is used in single-user mode only. */
export const SUPERUSER = 'gatehouse';
