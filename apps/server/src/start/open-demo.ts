import type { UseCases } from '@gatehouse/installation';
import { type Database, whileLocked } from '@gatehouse/postgres';
import { createDemo, type DemoOptions, isEmpty } from './demo-data.ts';
import { type Demo, isUnfinished, markUnfinished, readDemo, writeDemo } from './demo-file.ts';

/** The number of the advisory lock under which a demo is created. It is arbitrary. */
export const DEMO_LOCK = 5_113_820_449;

interface OpenDemoOptions extends DemoOptions {
  readonly database: Database;
  readonly dataDir: string;
}

/**
 * Opens the demo of this data folder. If the database is empty, the demo is created. If an earlier start was killed
 * while it created the demo, the demo is completed. The result is undefined if the database has other data, or if
 * `demo.json` was lost.
 */
export async function openDemo(useCases: UseCases, options: OpenDemoOptions): Promise<Demo | undefined> {
  const { database, dataDir } = options;
  // If several servers start on a new folder at the same time, only one creates the demo data.
  return (
    (await readDemo(dataDir)) ?? whileLocked(database, DEMO_LOCK, () => findOrMakeDemo(useCases, options))
  );
}

/** Reads, completes or creates the demo. It takes no lock, so several servers must not call it at the same time. */
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
