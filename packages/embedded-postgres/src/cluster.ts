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

/** The files of a cluster. Files that belong together are in one folder, so that one rename makes them appear. */
export interface ClusterPaths {
  readonly folder: string;
  /** PostgreSQL's own data directory. */
  readonly data: string;
  /** The password of the role that our programs use. If the file exists, the cluster is set up. */
  readonly password: string;
  /** The folder of the server's socket, or a symbolic link to it if this path is too long for a socket. */
  readonly socket: string;
  readonly log: string;
  readonly postmasterFile: string;
  /** Files of older versions, whose server listened on a port and whose programs were superusers. */
  readonly older: { readonly password: string; readonly port: string };
}

export function clusterPaths(folder: string): ClusterPaths {
  const data = join(folder, 'data');
  return {
    folder,
    data,
    password: join(folder, 'app-password'),
    socket: join(folder, 'socket'),
    log: join(folder, 'postgres.log'),
    postmasterFile: join(data, 'postmaster.pid'),
    older: { password: join(folder, 'password'), port: join(folder, 'port') },
  };
}

/** The name of the database. */
export const DATABASE = 'postgres';

/** The role of our programs: it owns the database and has no other right. */
export const APP_ROLE = 'gatehouse_app';

/** The superuser, created by initdb. It cannot log in and is used in single-user mode only. */
export const SUPERUSER = 'gatehouse';
