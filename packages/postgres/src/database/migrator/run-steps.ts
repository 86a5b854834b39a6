import type { MigrationConnection, MigrationStep } from '@gatehouse/extension-kit/postgres';
import type { Database } from '../database.ts';
import { buildConcurrently, indexBuildOf, isLarge } from './index-build.ts';

/** How far a migration has come. All steps before it are committed. */
export interface Progress {
  step: number;
  position: string | undefined;
  /** The tables that another session vacuumed, so that the next transaction did not get its lock. */
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
 * Runs the steps that are left, each in a transaction of its own. A step that builds an index of a large table runs outside
 * a transaction. If a step fails, `progress` has the place to go on from.
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
