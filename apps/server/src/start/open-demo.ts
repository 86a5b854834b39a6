import type { UseCases } from '@gatehouse/installation';
import { type Database, whileLocked } from '@gatehouse/postgres';
import { createDemo, type DemoOptions, isEmpty } from './demo-data.ts';
import { type Demo, isUnfinished, markUnfinished, readDemo, writeDemo } from './demo-file.ts';

/** An arbitrary number for the advisory lock. */
export const DEMO_LOCK = 5_113_820_449;

interface OpenDemoOptions extends DemoOptions {
  readonly database: Database;
  readonly dataDir: string;
}

/**
 * Opens the demo of this data folder. Creates it if the database is empty, and completes one that a killed start has begun.
 * Undefined if the database has data but there is no `demo.json`, because it was lost or the data is not a demo's.
 */
export async function openDemo(useCases: UseCases, options: OpenDemoOptions): Promise<Demo | undefined> {
  const { database, dataDir } = options;
  // If several servers start on a new folder at the same time, only one creates the demo data.
  return (
    (await readDemo(dataDir)) ?? whileLocked(database, DEMO_LOCK, () => findOrMakeDemo(useCases, options))
  );
}

/** The same, without a lock. */
export async function findOrMakeDemo(
  useCases: UseCases,
  { dataDir, ...options }: Omit<OpenDemoOptions, 'database'>,
): Promise<Demo | undefined> {
  const found = await readDemo(dataDir);
  if (found) return found;
  if (!isUnfinished(dataDir)) {
    if (!(await isEmpty(useCases, options.operator))) return undefined;
    await markUnfinished(dataDir);
  }
  const made = await createDemo(useCases, options);
  await writeDemo(dataDir, made);
  return made;
}
