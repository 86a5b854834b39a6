import type { Repositories } from '@gatehouse/domain';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../src/database/database.ts';
import { createPostgresRepositories } from '../src/repositories.ts';
import { openTestDatabase } from './open-test-store.ts';

/** One side of a race: its events must have this origin, by which it is held up. */
export type Part<T> = (side: { readonly database: Database; readonly origin: string }) => Promise<T>;

/**
 * Where both sides wait. `gate`: each before it records its event, with everything else but the commit done; they are
 * released in the given order. `row`: both for one row, before they have read it.
 */
export type Hold =
  | { readonly at: 'gate'; readonly letGo: 'first' | 'second' | 'both' }
  | {
      readonly at: 'row';
      readonly table: 'accounts' | 'users' | 'signing_keys' | 'tokens' | 'token_usage';
      readonly id: number | string;
    };

export const GATE_HOLDS: readonly Hold[] = [
  { at: 'gate', letGo: 'first' },
  { at: 'gate', letGo: 'second' },
  { at: 'gate', letGo: 'both' },
];

const PATIENCE_MS = 20_000;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * A database for races: two sides with one connection each, and a director with another, which holds them up by locks
 * and sees in pg_stat_activity that they wait. Nothing depends on timing.
 */
export async function openStage() {
  const { url, database, close } = await openTestDatabase();
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
  const sides = ['side-1', 'side-2'].map((name) => ({ name, database: openSide(url, name) }));
  const store: Repositories = createPostgresRepositories(database);
  let races = 0;

  const gate = (turn: 'lock' | 'unlock', origin: string) =>
    director.query(`select pg_advisory_${turn}(hashtextextended($1, 0))`, [origin]);

  /** Waits until the side waits for a lock, or is done without one. */
  async function heldUp(name: string, part: { readonly done: boolean }): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!part.done) {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = $1
           and state = 'active' and wait_event_type = 'Lock'`,
        [name],
      );
      if (rowCount === 1) return;
      if (performance.now() > deadline) throw new Error(`${name} neither waits nor ends`);
    }
  }

  function start<T>(index: 0 | 1, part: Part<T>) {
    const { name, database } = sides[index] as (typeof sides)[number];
    const origin = `race ${races}, ${name}`;
    const running = { name, origin, done: false };
    const ended = part({ database, origin }).finally(() => {
      running.done = true;
    });
    // The caller awaits it later.
    ended.catch(() => undefined);
    return { ...running, ended, heldUp: () => heldUp(name, running) };
  }

  return {
    store,
    database,
    close: async () => {
      for (const client of [director, watcher]) await client.end();
      for (const side of sides) await side.database.close();
      await close();
    },

    /** Runs both; the second begins once the first waits. Returns both outcomes. */
    async race<A, B>(first: Part<A>, second: Part<B>, hold: Hold): Promise<[A, B]> {
      races += 1;
      const origins = sides.map(({ name }) => `race ${races}, ${name}`) as [string, string];
      if (hold.at === 'gate') for (const origin of origins) await gate('lock', origin);
      else {
        await director.query('begin');
        const column = hold.table === 'token_usage' ? 'token_id' : 'id';
        await director.query(`select from ${hold.table} where ${column} = $1 for update`, [hold.id]);
      }
      const one = start(0, first);
      await one.heldUp();
      const two = start(1, second);
      await two.heldUp();

      if (hold.at === 'row') await director.query('commit');
      else {
        const order = hold.letGo === 'second' ? origins.toReversed() : origins;
        for (const [index, origin] of order.entries()) {
          await gate('unlock', origin);
          if (hold.letGo === 'first' && index === 0) await one.ended;
        }
      }
      return [await one.ended, await two.ended];
    },
  };
}

function openSide(url: string, name: string): Database {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return openDatabase({ url: named.href, poolSize: 1 });
}
