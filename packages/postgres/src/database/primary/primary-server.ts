import type { DatabaseServer } from '@gatehouse/domain/changes';
import pg from 'pg';

/** A running server that accepts writes. */
export interface PrimaryServer {
  /** The system identifier, which a primary shares with its standbys. */
  readonly system: string;
  /** The number that each promotion of a standby increases. */
  readonly timeline: number;
  /** When the server started, in seconds since 1970. It distinguishes servers of one system and timeline. */
  readonly startedAt: string;
}

/**
 * Selects what identifies the server. Every role may call these functions. The timeline comes from the write-ahead log,
 * because `pg_control_checkpoint()` returns the old timeline until the first checkpoint after a promotion. Names are
 * qualified, because a new connection may not have its search path yet. No setting of a session changes the result.
 */
export const PRIMARY_SERVER = `
  select system_identifier::pg_catalog.text as system,
    case when not pg_catalog.pg_is_in_recovery() then
      pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8)
    end as timeline,
    extract(epoch from pg_catalog.pg_postmaster_start_time())::pg_catalog.text as "startedAt"
  from pg_catalog.pg_control_system()`;

/**
 * SQLSTATEs that mean that the server cannot be identified: the role may not call the functions for that, or the
 * functions do not exist or are not supported.
 */
export const CANNOT_SAY: ReadonlySet<string | undefined> = new Set(['42501', '42883', '0A000']);

/** A row of `PRIMARY_SERVER`. */
export interface PrimaryServerRow {
  readonly system: string;
  /** The timeline in hexadecimal; null on a standby. */
  readonly timeline: string | null;
  readonly startedAt: string;
}

/** Returns the server that answered; undefined for a standby, on which all statements fail anyway (`onPrimary`). */
export function primaryServerOf({
  rows: [row],
}: {
  readonly rows: readonly PrimaryServerRow[];
}): PrimaryServer | undefined {
  if (row === undefined || row.timeline === null) return undefined;
  return { ...row, timeline: Number.parseInt(row.timeline, 16) };
}

/**
 * Asks the server of a connection to identify itself. Returns undefined for a standby, or if the role may not call the
 * functions that identify a server. Throws if the connection is lost.
 */
export async function findServer(
  ask: (statement: string) => Promise<pg.QueryResult<PrimaryServerRow>>,
): Promise<PrimaryServer | undefined> {
  try {
    return primaryServerOf(await ask(PRIMARY_SERVER));
  } catch (error) {
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
}

/** Names a server for programs that compare it with another one, and understand nothing of it. */
export const nameOf = ({ system, timeline, startedAt }: PrimaryServer) =>
  `${system}.${timeline}.${startedAt}` as DatabaseServer;

export function isSameServer(a: PrimaryServer, b: PrimaryServer): boolean {
  return a.system === b.system && a.timeline === b.timeline && a.startedAt === b.startedAt;
}
