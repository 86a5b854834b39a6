import { createRequire } from 'node:module';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import type { Account } from './account.ts';
import { NoBinariesError } from './embedded-postgres-error.ts';

/** A PostgreSQL cluster: the databases of one server, in a data folder. */
export interface Cluster {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  /** The user that PostgreSQL runs as, if it is not the current user. */
  readonly account: Account | undefined;
  /** Additional settings of the server. They have an effect only if this process starts the server. */
  readonly settings: Readonly<Record<string, string>>;
}

export type ClusterPaths = Readonly<ReturnType<typeof clusterPaths>>;

/**
 * Returns the paths of a cluster. All are in one folder, so that renaming that folder makes a complete cluster appear.
 */
export function clusterPaths(folder: string) {
  const data = join(folder, 'data');
  return {
    folder,
    /** PostgreSQL's own data directory. */
    data,
    /** The file with the password of the role that Gatehouse uses. If the file exists, the cluster is set up. */
    password: join(folder, 'app-password'),
    /** The folder of the server's socket, or a symbolic link to it if this path is too long for a socket. */
    socket: join(folder, 'socket'),
    log: join(folder, 'postgres.log'),
    postmasterFile: join(data, 'postmaster.pid'),
    /** Files of older versions of Gatehouse, in which the server listened on a port and Gatehouse was a superuser. */
    older: { password: join(folder, 'password'), port: join(folder, 'port') },
  };
}

/** The name of the database that Gatehouse uses. */
export const DATABASE = 'postgres';

/** The role of Gatehouse: it owns the database and has no other right. */
export const APP_ROLE = 'gatehouse_app';

/** The superuser that initdb creates. It cannot log in, and is used only in single-user mode. */
export const SUPERUSER = 'gatehouse';

/** Absolute paths of PostgreSQL's programs. */
interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds PostgreSQL's programs in the npm package for this platform. Packages for other platforms are not installed.
 */
export async function locateBinaries(platform: string = process.platform, arch: string = process.arch) {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    const found: Partial<Binaries> = createRequire(import.meta.url)(name);
    const { initdb, postgres } = found;
    if (initdb === undefined || postgres === undefined) throw new TypeError('the package has no programs');
    return { initdb, postgres };
  } catch (error) {
    const version = new Map(Object.entries(manifest.optionalDependencies)).get(name);
    const remedy =
      version === undefined
        ? ''
        : ` If you installed Gatehouse with npm, ${installCommand(name, version)} instead.`;
    throw new NoBinariesError(
      `This installation has no embedded PostgreSQL (${platform} on ${arch}): set DATABASE_URL or DATABASE_URL_FILE to use a PostgreSQL server of your own, and set GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE.${remedy}`,
      { cause: error },
    );
  }
}

const installCommand = (name: string, version: string) =>
  `you can run \`npm install --save-exact ${name}@${version}\``;
