import type { RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The connection of a migration. */
export type MigrationConnection = Parameters<Migration['up']>[0];

/**
 * A step of a migration, run in a transaction. A step that changes many rows does so in parts, each in its own
 * transaction: it returns a position after each part, and is run again with that position until it returns undefined.
 */
export interface MigrationStep {
  (transaction: MigrationConnection, position?: string): Promise<string | undefined>;
  /**
   * The step as a statement. If it only builds an index on a large table, it is run outside a transaction, so it blocks
   * no writes.
   */
  readonly statement?: RawBuilder<unknown>;
}

/**
 * A migration whose steps are separate transactions, so that no transaction holds its locks for long. A step that gets
 * no lock is tried again. If a step fails or the process ends, the next `migrate` runs all steps again from the
 * beginning. So a step that is run a second time must have no effect.
 */
export interface SteppedMigration {
  readonly steps: readonly MigrationStep[];
}

export type AnyMigration = Migration | SteppedMigration;

/**
 * Makes steps from statements and functions. A step that is only `create index if not exists NAME on TABLE ...`, with or without
 * `set local maintenance_work_mem` before it, is run as `create index concurrently` on a large table, so it blocks no writes.
 */
export function inSteps(
  ...steps: readonly (RawBuilder<unknown> | MigrationStep)[]
): readonly MigrationStep[] {
  return steps.map((step) => {
    if (typeof step === 'function') return step;
    const run = async (transaction: MigrationConnection) => {
      await step.execute(transaction);
      return undefined;
    };
    return Object.assign(run, { statement: step });
  });
}
