import type { Repositories } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import { anEvent } from '@gatehouse/domain/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../src/database/database.ts';
import { createPostgresRepositories } from '../src/repositories.ts';
import { openTestDatabase } from './open-test-store.ts';

export interface Side {
  readonly database: Database;
  readonly store: Repositories;
  /** Creates an event of this side, whose origin makes it wait. */
  event(parts?: Partial<AuditEvent>): AuditEvent;
}

/** One side of a race: its events must be its side's. */
export type Part<T> = (side: Side) => Promise<T>;

/**
 * Where both sides wait. `gate`: each before it records its event, when all but the commit is done; they are released
 * in the given order. `row`: both for one row, before they read it.
 */
export type Hold =
  | { readonly at: 'gate'; readonly letGo: 'first' | 'second' | 'both' }
  | {
      readonly at: 'row';
      readonly table: keyof typeof KEYS;
      readonly id: number | string;
    };

export const GATE_HOLDS: readonly Hold[] = [
  { at: 'gate', letGo: 'first' },
  { at: 'gate', letGo: 'second' },
  { at: 'gate', letGo: 'both' },
];

/** The key of each table whose rows hold up races. */
const KEYS = {
  accounts: 'id',
  users: 'id',
  signing_keys: 'id',
  tokens: 'id',
  token_usage: 'token_id',
  second_factors: 'user_id',
  reactions: 'name',
  reaction_deliveries: 'id',
} as const;

const PATIENCE_MS = 20_000;

/** A private database. */
interface OpenedForRaces {
  readonly url: string;
  readonly database: Database;
  readonly store: Repositories;
  close(): Promise<void>;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * A database for races: two sides with one connection each, and a director with another, which holds them up by locks
 * and sees in pg_stat_activity that they wait. Nothing depends on timing.
 */
export async function openStage(open: () => Promise<OpenedForRaces> = openTestDatabase) {
  const { url, database, store, close } = await open();
  await sql`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended(new.origin, 0));
      return new;
    end $$;
    create trigger gate before insert on audit_events for each row execute function wait_at_gate();
  `.execute(database.queries);
  const director = new pg.Client({ connectionString: url });
  // A separate connection, because pg_stat_activity does not change within a transaction.
  const watcher = new pg.Client({ connectionString: url });
  for (const client of [director, watcher]) await client.connect();
  const sides = ['side-1', 'side-2'].map((name) => openSide(url, name));
  let races = 0;

  const gate = (turn: 'lock' | 'unlock', origin: string) =>
    director.query(`select pg_advisory_${turn}(hashtextextended($1, 0))`, [origin]);

  /** Waits until the side waits for a lock, or is done without one. Gates are advisory locks. */
  async function heldUp(name: string, part: { readonly done: boolean }, isAtGate = true): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!part.done) {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = $1
           and state = 'active' and wait_event_type = 'Lock' and ($2 or wait_event <> 'advisory')`,
        [name, isAtGate],
      );
      if (rowCount === 1) return;
      if (performance.now() > deadline) throw new Error(`${name} neither waits nor ends`);
    }
  }

  const originOf = ({ name }: { readonly name: string }) => `race ${races}, ${name}`;

  /** Begins the side, and waits until it is held up. */
  async function begin<T>(index: 0 | 1, part: Part<T>) {
    const side = sides[index] as (typeof sides)[number];
    const origin = originOf(side);
    const running = { done: false };
    const ended = part({ ...side, event: (parts) => anEvent({ ...parts, origin }) }).finally(() => {
      running.done = true;
    });
    // The caller awaits it later.
    ended.catch(() => undefined);
    await heldUp(side.name, running);
    return { ended, isThrough: () => heldUp(side.name, running, false) };
  }

  return {
    url,
    store,
    database,
    close: async () => {
      for (const client of [director, watcher]) await client.end();
      for (const side of sides) await side.database.close();
      await close();
    },

    /** Runs both sides; the second begins once the first waits. Returns both outcomes. */
    async race<A, B>(
      one: Part<A>,
      other: Part<B>,
      hold: Hold,
      begins: 'one' | 'other' = 'one',
    ): Promise<[A, B]> {
      races += 1;
      const origins = sides.map(originOf);
      if (begins === 'other') origins.reverse();
      if (hold.at === 'gate') for (const origin of origins) await gate('lock', origin);
      else {
        await director.query('begin');
        const { table, id } = hold;
        await director.query(`select from ${table} where ${KEYS[table]} = $1 for update`, [id]);
      }
      const early = begins === 'one' ? await begin(0, one) : undefined;
      const second = await begin(1, other);
      const first = early ?? (await begin(0, one));

      if (hold.at === 'row') await director.query('commit');
      else {
        if (hold.letGo === 'second') origins.reverse();
        for (const [index, origin] of origins.entries()) {
          await gate('unlock', origin);
          if (hold.letGo === 'first' && index === 0) await (early ?? second).isThrough();
        }
      }
      return [await first.ended, await second.ended];
    },
  };
}

function openSide(url: string, name: string) {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  const database = openDatabase({ url: named.href, poolSize: 1 });
  return { name, database, store: createPostgresRepositories(database) };
}
