import { UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseSetupFault } from '../faults.ts';
import { currentAsker, userOf } from './askers.ts';
import { connectIn, enterLanes, type Lane } from './lane.ts';

/** Decides whether an extension may use its share of the pool. */
export interface Gate {
  /** Resolves if the share may be used. Otherwise rejects with the fault for the statement. */
  open(): Promise<void>;
  /** Called when a statement found no table or no schema. */
  missed(): void;
}

interface ShareOptions {
  /**
   * The lanes in whose queues a statement waits for its connection, and in which users take turns. Statements without a
   * user count as one user.
   */
  readonly lanes: readonly Lane<UserId | undefined>[];
  readonly gate: Gate;
}

/**
 * The longest time that a connection may be held without a statement, in milliseconds. PostgreSQL ends idle transactions
 * earlier.
 */
const MAX_IDLE_MS = 12_000;

/** The SQLSTATEs of `undefined_table` and `invalid_schema_name`. */
const MISSING = new Set(['42P01', '3F000']);

/**
 * Creates a share of a pool, whose connections are limited by the lanes. A connection that its user does not release
 * goes back to the pool after `MAX_IDLE_MS` without a statement. Closing the share does not close the pool.
 */
export function createPoolShare(pool: PostgresPool, { lanes, gate }: ShareOptions): PostgresPool {
  return {
    options: {},
    async connect() {
      await gate.open();
      const user = userOf(currentAsker());
      const entering = enterLanes(lanes.map((lane) => [lane, user] as const));
      return watched(await connectIn(pool, entering), gate);
    },
    end: async () => {},
  };
}

function watched(client: PostgresPoolClient, gate: Gate): PostgresPoolClient {
  let isHeld = true;
  let underWay = 0;
  let forgotten = setTimeout(release, MAX_IDLE_MS, true);

  function release(destroy?: boolean): void {
    clearTimeout(forgotten);
    if (!isHeld) return;
    isHeld = false;
    client.release(destroy);
  }

  async function query(text: string, parameters: readonly unknown[]) {
    if (!isHeld)
      throw new UnavailableFault('the connection was held too long without a statement, and was taken back');
    clearTimeout(forgotten);
    underWay += 1;
    try {
      return await client.query(text, parameters);
    } catch (error) {
      if (error instanceof DatabaseSetupFault && MISSING.has(error.code ?? '')) gate.missed();
      throw error;
    } finally {
      underWay -= 1;
      if (isHeld && underWay === 0) forgotten = setTimeout(release, MAX_IDLE_MS, true);
    }
  }
  return { query: query as PostgresPoolClient['query'], release };
}
