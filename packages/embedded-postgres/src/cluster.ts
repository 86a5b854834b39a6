import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

/** One PostgreSQL cluster in a data folder: what everything that handles it needs to know. */
export interface Cluster {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  /** Whom PostgreSQL runs as, where that is not the current user. */
  readonly account: Account | undefined;
  /** Server settings beyond the fixed ones; they count only for the process that starts the server. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Files of a cluster. Whatever belongs together is in one folder, so that it can appear by one rename. */
export interface ClusterPaths {
  readonly folder: string;
  /** PostgreSQL's own data directory. */
  readonly data: string;
  /** Of the role of our programs. Once it is there, the cluster is set up. */
  readonly password: string;
  /** The folder of the server's socket, or a symbolic link to it where this path is too long for one. */
  readonly socket: string;
  readonly log: string;
  readonly postmasterFile: string;
  /** What versions before had, whose server listened on a port and whose programs were superusers. */
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

/** The database that everything is in. */
export const DATABASE = 'postgres';

/** Owns the database and may do nothing beyond it; programs log in as this role. */
export const APP_ROLE = 'gatehouse_app';

/** Made by initdb. It can log in by no means, so it is had in single-user mode only. */
export const SUPERUSER = 'gatehouse';
