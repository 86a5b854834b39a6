import type { RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The connection of a migration. */
export type MigrationConnection = Parameters<Migration['up']>[0];

/**
 * One transaction of a migration. If it returns a position, it is run again with it, until it returns undefined. So it can
 * change many rows in parts.
 */
export interface MigrationStep {
  (transaction: MigrationConnection, position?: string): Promise<string | undefined>;
  /** The step as a statement. One that only builds an index is run outside a transaction where the table is large. */
  readonly statement?: RawBuilder<unknown>;
}

/**
 * A migration whose steps are separate transactions, so that none holds its locks for long. If a step gets no lock, it is
 * tried again. If it fails or the process ends, the next `migrate` runs all steps from the first one, so each must have no
 * effect the second time.
 */
export interface SteppedMigration {
  readonly steps: readonly MigrationStep[];
}

export type AnyMigration = Migration | SteppedMigration;

/**
 * Makes steps from statements and functions. A statement that only is `create index if not exists NAME on TABLE ...`, perhaps
 * after a `set local maintenance_work_mem`, does not block writes: on a large table it is run as `create index concurrently`.
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
