import type { UseCases } from '@gatehouse/installation';
import { type Database, whileLocked } from '@gatehouse/postgres';
import { createDemo, type DemoOptions } from './demo-data.ts';
import { type Demo, readDemo, writeDemo } from './demo-file.ts';

/** An arbitrary number for the advisory lock. */
export const DEMO_LOCK = 5_113_820_449;

interface OpenDemoOptions extends DemoOptions {
  readonly database: Database;
  readonly dataDir: string;
}

/**
 * Opens the demo of this data folder, and creates it if the database is empty. Undefined if the database has data
 * but there is no `demo.json`, because it was lost or the data is not a demo's.
 */
export async function openDemo(useCases: UseCases, options: OpenDemoOptions): Promise<Demo | undefined> {
  const { database, dataDir } = options;
  const make = async () => {
    const found = await readDemo(dataDir);
    if (found) return found;
    const made = await createDemo(useCases, options);
    if (made) await writeDemo(dataDir, made);
    return made;
  };
  // If several servers start on a new folder at once, only one fills it.
  return (await readDemo(dataDir)) ?? whileLocked(database, DEMO_LOCK, make);
}
