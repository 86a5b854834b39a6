import { UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseSetupFault } from '../faults.ts';
import { userOfStatement } from '../statements/statement-user.ts';

/** Decides whether a share of a pool may be used. */
export interface Gate {
  /** Resolves if it may; rejects with the fault of the statement if not. */
  open(): Promise<void>;
  /** Called when a statement found no table or no schema. */
  missed(): void;
}

/** Places for a number of connections that are in use at once. */
export interface Places {
  /** Waits for a place; undefined if one is free at once. Rejects if none is freed in time, or too many wait. */
  take(): Promise<void> | undefined;
  /** Passes a place on, or frees it. */
  free(): void;
}

interface ShareOptions {
  /** Each connection takes one of all of these. */
  readonly places: readonly Places[];
  readonly gate: Gate;
}

/** More of one user wait only in a flood; they are refused at once. */
const MAX_WAITING_PER_USER = 100;

/**
 * How long a connection may be held without a statement, in milliseconds. By then PostgreSQL has ended the session of a
 * transaction.
 */
const MAX_IDLE_MS = 12_000;

/** The SQLSTATEs of `undefined_table` and `invalid_schema_name`. */
const MISSING = new Set(['42P01', '3F000']);

/**
 * Creates so many places; a statement waits for one at most so many milliseconds. Users take turns (`onBehalfOf`), and
 * statements that are made for none do so as one user.
 */
export function createPlaces(count: number, waitMs: number): Places {
  /** By user, each with the oldest first. The first user has the next turn. */
  const waiting = new Map<UserId | undefined, Set<() => void>>();
  let taken = 0;

  function leave(user: UserId | undefined, begin: () => void): void {
    const own = waiting.get(user);
    own?.delete(begin);
    if (own?.size === 0) waiting.delete(user);
  }

  return {
    take() {
      if (taken < count) {
        taken += 1;
        return undefined;
      }
      const user = userOfStatement();
      const own = waiting.get(user) ?? new Set();
      if (own.size >= MAX_WAITING_PER_USER)
        throw new UnavailableFault('too many statements of the extension wait');
      return new Promise((resolve, reject) => {
        const begin = () => {
          clearTimeout(timer);
          leave(user, begin);
          resolve();
        };
        const timer = setTimeout(() => {
          leave(user, begin);
          reject(new UnavailableFault('the statements of the extension do not end in time'));
        }, waitMs);
        waiting.set(user, own.add(begin));
      });
    },
    free() {
      const [next] = waiting;
      if (!next) {
        taken -= 1;
        return;
      }
      const [user, own] = next;
      const [begin] = own;
      // Moves the user behind all others.
      waiting.delete(user);
      waiting.set(user, own);
      begin?.();
    },
  };
}

/**
 * A share of a pool: its connections need places. One that its holder forgets goes back to the pool. The end of the share
 * does not end the pool.
 */
export function createPoolShare(pool: PostgresPool, { places, gate }: ShareOptions): PostgresPool {
  return {
    options: {},
    async connect() {
      await gate.open();
      const taken: Places[] = [];
      const end = () => {
        for (const each of taken) each.free();
      };
      try {
        for (const each of places) {
          await each.take();
          taken.push(each);
        }
        return watched(await pool.connect(), gate, end);
      } catch (error) {
        end();
        throw error;
      }
    },
    end: async () => {},
  };
}

function watched(client: PostgresPoolClient, gate: Gate, end: () => void): PostgresPoolClient {
  let isHeld = true;
  let underWay = 0;
  let forgotten = setTimeout(release, MAX_IDLE_MS, true);

  function release(destroy?: boolean): void {
    clearTimeout(forgotten);
    if (!isHeld) return;
    isHeld = false;
    client.release(destroy);
    end();
  }

  async function query(text: string, parameters: readonly unknown[]) {
    if (!isHeld) throw new UnavailableFault('the connection was held too long without a statement');
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
