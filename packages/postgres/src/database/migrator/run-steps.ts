import type { MigrationConnection, MigrationStep } from '@gatehouse/extension-kit/postgres';
import type { Database } from '../database.ts';
import { buildConcurrently, indexBuildOf, isLarge } from './index-build.ts';

/**
 * The step with which a retried migration goes on, and the position in that step, such as the id of the last token that
 * was changed. All earlier steps are committed.
 */
export interface Progress {
  step: number;
  position: string | undefined;
  /**
   * The tables that another session was vacuuming, analyzing or indexing when the last transaction did not get its
   * lock.
   */
  maintained: readonly string[];
}

export const noProgress = (): Progress => ({ step: 0, position: undefined, maintained: [] });

interface StepContext {
  readonly database: Database;
  /** Called in each transaction, before the step runs. */
  readonly prepare: (transaction: MigrationConnection) => Promise<void>;
  readonly onWaiting: ((text: string) => void | Promise<void>) | undefined;
}

/**
 * Runs the remaining steps, each in a transaction of its own. A step that builds an index of a large table runs outside
 * a transaction. If a step fails, `progress` says where the next attempt has to go on.
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
