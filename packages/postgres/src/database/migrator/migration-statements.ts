import type { MigrationStep } from '@gatehouse/extension-kit/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Makes a migration that runs these statements in one transaction. */
export const script =
  (statements: RawBuilder<unknown>): Migration['up'] =>
  async (db) =>
    void (await statements.execute(db));

/** Builds an index. On a large table, the migrator builds the index while writes go on (ADR 57). */
export const index = (definition: string) => sql`
  set local maintenance_work_mem = '256MB';
  create index if not exists ${sql.raw(definition)}`;

/**
 * The number of tokens that a step changes in one transaction. Until that transaction ends, the usage of these tokens
 * cannot be stored.
 */
export const BATCH = 2000;

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Makes a step that changes tokens in parts, in the order of their ids. Each part runs in its own transaction and
 * returns the last id that it changed, or null if no tokens are left.
 */
export const inParts =
  (part: (after: string) => RawBuilder<{ last: string | null }>): MigrationStep =>
  async (transaction, after = BEFORE_ALL_IDS) => {
    const { rows } = await part(after).execute(transaction);
    return rows[0]?.last ?? undefined;
  };
