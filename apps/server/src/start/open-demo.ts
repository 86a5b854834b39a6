import type { UseCases } from '@gatehouse/installation';
import { type Database, whileLocked } from '@gatehouse/postgres';
import { createDemo, type DemoOptions } from './demo-data.ts';
import { type Demo, readDemo, writeDemo } from './demo-file.ts';

/** Any number that nothing else in the database locks. */
export const DEMO_LOCK = 5_113_820_449;

export interface OpenDemoOptions extends DemoOptions {
  readonly database: Database;
  readonly dataDir: string;
}

/**
 * The demo of this data folder, made if the database is empty. Undefined where the database has data of which
 * no start left the facts: it was filled by someone else, or `demo.json` is lost.
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
  // Of several servers that start on a new folder at once, one fills it.
  return (await readDemo(dataDir)) ?? whileLocked(database, DEMO_LOCK, make);
}
