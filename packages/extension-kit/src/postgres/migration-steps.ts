import type { RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What migrations run in. */
export type MigrationConnection = Parameters<Migration['up']>[0];

/**
 * One transaction of a migration. If it returns a position it is run again with it, until it returns undefined: so it
 * changes many rows in parts.
 */
export type MigrationStep = (
  transaction: MigrationConnection,
  position?: string,
) => Promise<string | undefined>;

/**
 * A migration of which each step is a transaction of its own, so that none holds its locks for long. If a step gets no
 * lock, or the process ends, all are run again from the first one: each must have no effect the second time.
 */
export interface SteppedMigration {
  readonly steps: readonly MigrationStep[];
}

export type AnyMigration = Migration | SteppedMigration;

/** Makes steps of statements and functions. */
export function inSteps(
  ...steps: readonly (RawBuilder<unknown> | MigrationStep)[]
): readonly MigrationStep[] {
  return steps.map((step) =>
    typeof step === 'function'
      ? step
      : async (transaction) => {
          await step.execute(transaction);
          return undefined;
        },
  );
}
