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
  readonly password: string;
  /** Kept from start to start: pools of programs that outlive the server hold it in their URL. */
  readonly port: string;
  readonly log: string;
  readonly postmasterFile: string;
}

export function clusterPaths(folder: string): ClusterPaths {
  const data = join(folder, 'data');
  return {
    folder,
    data,
    password: join(folder, 'password'),
    port: join(folder, 'port'),
    log: join(folder, 'postgres.log'),
    postmasterFile: join(data, 'postmaster.pid'),
  };
}
