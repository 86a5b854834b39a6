import type { MigrationConnection, MigrationStep } from '@gatehouse/extension-kit/postgres';
import type { Database } from '../database.ts';
import { buildConcurrently, indexBuildOf, isLarge } from './index-build.ts';

/** The progress of a migration: everything before it is committed. */
export interface Progress {
  step: number;
  position: string | undefined;
  /** The tables whose vacuum kept a lock from the next transaction. */
  maintained: readonly string[];
}

export const noProgress = (): Progress => ({ step: 0, position: undefined, maintained: [] });

interface StepContext {
  readonly database: Database;
  /** Called in each transaction, before its step. */
  readonly prepare: (transaction: MigrationConnection) => Promise<void>;
  readonly onWaiting: ((text: string) => void | Promise<void>) | undefined;
}

/**
 * Runs the steps that are left, each in a transaction of its own, and indexes of large tables outside one. If a step fails,
 * `progress` says where to go on.
 */
export async function runSteps(
  steps: readonly MigrationStep[],
  progress: Progress,
  connection: MigrationConnection,
  { database, prepare, onWaiting }: StepContext,
): Promise<void> {
  for (const step of steps.slice(progress.step)) {
    const build = indexBuildOf(step, connection);
    if (build !== undefined && (await isLarge(build, connection))) {
      await buildConcurrently(build, connection, database, onWaiting);
    } else {
      do {
        progress.position = await connection.transaction().execute(async (transaction) => {
          await prepare(transaction);
          return step(transaction, progress.position);
        });
        progress.maintained = [];
      } while (progress.position !== undefined);
    }
    progress.step += 1;
  }
}
