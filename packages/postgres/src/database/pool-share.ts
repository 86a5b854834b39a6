import { UnavailableFault } from '@gatehouse/domain';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseFault } from './faults.ts';

/** Decides whether a share of a pool may be used. */
export interface Gate {
  /** Resolves if it may; rejects with the fault of the statement if not. */
  open(): Promise<void>;
  /** Called when a statement found no table or no schema. */
  missed(): void;
}

interface ShareOptions {
  readonly connections: number;
  /** How long a statement waits for the share, in milliseconds, before it waits for a connection of the pool. */
  readonly connectTimeoutMs: number;
  readonly gate: Gate;
}

/** More wait only in a flood; they are refused at once. */
const MAX_WAITING = 100;

/** The SQLSTATEs of `undefined_table` and `invalid_schema_name`. */
const MISSING = new Set(['42P01', '3F000']);

/** A share of a pool: at most so many of its connections are in use through it. Its end does not end the pool. */
export function createPoolShare(pool: PostgresPool, options: ShareOptions): PostgresPool {
  const { connections, connectTimeoutMs, gate } = options;
  /** Ordered by age, the oldest first. */
  const waiting = new Set<() => void>();
  let held = 0;

  function turn(): Promise<void> | undefined {
    if (held < connections) {
      held += 1;
      return undefined;
    }
    if (waiting.size >= MAX_WAITING) throw new UnavailableFault('too many statements of the extension wait');
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new UnavailableFault('the statements of the extension do not end in time'));
      }, connectTimeoutMs);
      waiting.add(begin);
    });
  }

  /** Passes the place on, or frees it. */
  function end(): void {
    const [next] = waiting;
    if (next) next();
    else held -= 1;
  }

  return {
    options: {},
    async connect() {
      await gate.open();
      await turn();
      try {
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
  async function query(text: string, parameters: readonly unknown[]) {
    try {
      return await client.query(text, parameters);
    } catch (error) {
      if (error instanceof DatabaseFault && MISSING.has(error.code ?? '')) gate.missed();
      throw error;
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      client.release(destroy);
      end();
    },
  };
}
