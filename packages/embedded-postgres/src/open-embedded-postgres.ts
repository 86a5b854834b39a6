import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@gatehouse/domain/time';
import { APP_ROLE, type Cluster, DATABASE } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf, messageOf } from './files.ts';
import { joinCluster } from './join-cluster.ts';
import type { Membership } from './membership.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { SOCKET_PORT } from './socket-folder.ts';

export interface EmbeddedPostgresOptions {
  /** The data folder, created if it does not exist. All files are in its sub-folder `postgres`. */
  readonly dataDir: string;
  /** PostgreSQL settings, such as `{ fsync: 'off' }`; ignored if the server is running. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a line for the log when the server died and was restarted, or could not be. */
  readonly onIncident?: (message: string) => void;
}

/** A running PostgreSQL, shared by all processes that have the data folder open. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /**
   * The URL, which does not change while this is open. Its host is a folder, percent-encoded as in libpq, and its user
   * owns the database and has no other right.
   */
  readonly url: string;
  /** Call it after closing the last connection. The last process to leave stops the server and waits for its exit. */
  close(): Promise<void>;
}

/**
 * Joins the PostgreSQL of a data folder, or starts it. It listens on a socket in a folder that only its owner may enter, and
 * on no network. While it is open, a server that dies is restarted at the same address. A process that is killed before it
 * calls `close` leaves the server running for the next one.
 *
 * @throws {EmbeddedPostgresError} for any problem of the machine or the data folder
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { onIncident = () => undefined } = options;
  const joined = await join(options, () => true);
  if (joined === undefined) throw new TypeError('joining returned no server');
  const { url, cluster, membership } = joined;
  const close = keepJoined(cluster, membership, onIncident);
  return { url, close, [Symbol.asyncDispose]: close };
}

/**
 * Joins the PostgreSQL of a data folder if it is running; otherwise returns `undefined`. Never starts it.
 *
 * @throws {EmbeddedPostgresError} like `openEmbeddedPostgres`
 */
export async function joinEmbeddedPostgres(
  options: Pick<EmbeddedPostgresOptions, 'dataDir'>,
): Promise<EmbeddedPostgres | undefined> {
  const joined = await join(options, () => false);
  if (joined === undefined) return undefined;
  let left: Promise<void> | undefined;
  const close = () => {
    left ??= joined.membership.leave();
    return left;
  };
  return { url: joined.url, close, [Symbol.asyncDispose]: close };
}

async function join({ dataDir, settings = {} }: EmbeddedPostgresOptions, wanted: () => boolean) {
  try {
    const cluster = await prepareCluster(dataDir, settings);
    const membership = await joinCluster(cluster, wanted);
    if (membership === undefined) return undefined;
    return { url: urlOf(membership), cluster, membership };
  } catch (error) {
    throw explained(error, resolve(dataDir));
  }
}

/** Returns a URL with `sslmode=disable`, because PGSSLMODE, which is for other databases, could require TLS. */
function urlOf({ socketFolder, password }: Membership): string {
  return `postgres://${APP_ROLE}:${password}@${encodeURIComponent(socketFolder)}:${SOCKET_PORT}/${DATABASE}?sslmode=disable`;
}

/** The pauses between failed restarts. Each failure is reported. */
const RETRY = { firstMs: 500, longestMs: 2_000, random: Math.random };

/** Joins again whenever the membership is lost. The returned function stops this and leaves the server. */
function keepJoined(cluster: Cluster, first: Membership, onIncident: (message: string) => void) {
  let closing: Promise<void> | undefined;
  let current: Promise<Membership | undefined> = Promise.resolve(first);
  const wanted = () => closing === undefined;

  const watch = (membership: Membership) =>
    void membership.lost.then(() => {
      if (wanted()) current = rejoin();
    });

  async function rejoin(): Promise<Membership | undefined> {
    onIncident('The embedded PostgreSQL is gone; restarting it.');
    const backoff = createBackoff(RETRY);
    for (;;) {
      try {
        const membership = await joinCluster(cluster, wanted);
        if (membership === undefined) return undefined;
        watch(membership);
        onIncident(
          urlOf(membership) === urlOf(first)
            ? 'The embedded PostgreSQL is back.'
            : 'The embedded PostgreSQL is back at another address: restart this program.',
        );
        return membership;
      } catch (error) {
        if (!wanted()) return undefined;
        await delay(backoff.next());
        onIncident(messageOf(error));
      }
    }
  }

  watch(first);
  return () => {
    closing ??= current.then((membership) => membership?.leave());
    return closing;
  };
}

const UNUSABLE = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

function explained(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && UNUSABLE.has(String(codeOf(error))))) return error;
  return new EmbeddedPostgresError(`The data folder ${dataDir} cannot be used: ${error.message}`, {
    cause: error,
  });
}
