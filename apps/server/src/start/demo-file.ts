import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

const id = z.int().positive();
const person = { email: z.string(), password: z.string() };

const schema = z.object({
  base_url: z.string(),
  account: z.object({ id, name: z.string() }),
  organizations: z.array(z.object({ id, name: z.string() })).min(1),
  admin: z.object(person),
  member: z.object({ ...person, organization_ids: z.array(id) }),
  token: z.string(),
  other_account: z.object({ organization_id: id }),
});

/** The contents of `demo.json`: everything that a user needs to try the demo. */
export type Demo = z.infer<typeof schema>;

export const demoPath = (dataDir: string) => join(dataDir, 'demo.json');

/** Reads `demo.json`, which an earlier start may have written; undefined if there is no such file. */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  const path = demoPath(dataDir);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = schema.safeParse(parse(text));
  if (!parsed.success)
    throw new StartError(
      `${path} was changed after Gatehouse wrote it: restore it, or remove it to start without a demo`,
    );
  return parsed.data;
}

/**
 * Writes `demo.json` atomically, and removes the mark of an unfinished demo. Only the owner of the file can read it,
 * because it contains passwords.
 */
export async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  await writeWhole(demoPath(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
  await rm(unfinishedPath(dataDir), { force: true });
}

/**
 * A file that exists while the demo is created. If a start is killed, the file tells the next start that the data in
 * the database belongs to an unfinished demo.
 */
const unfinishedPath = (dataDir: string) => join(dataDir, 'demo.unfinished');

/** Whether a start was killed while it created the demo. */
export const isUnfinished = (dataDir: string): boolean => existsSync(unfinishedPath(dataDir));

/** Marks the demo as unfinished. Call it before the first change of the database for the demo. */
export const markUnfinished = (dataDir: string): Promise<void> => writeWhole(unfinishedPath(dataDir), '');

async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(draft, path);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
