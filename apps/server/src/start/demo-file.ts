import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
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

/** Reads the file of an earlier start; undefined if there is none. */
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
  if (!parsed.success) throw new StartError(`${path} is not what a start wrote: remove it, or restore it`);
  return parsed.data;
}

/** Writes the file atomically, readable only by its owner, because it contains passwords. */
export async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  const draft = `${demoPath(dataDir)}.${randomUUID()}`;
  {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(`${JSON.stringify(demo, null, 2)}\n`);
    await file.sync();
  }
  await rename(draft, demoPath(dataDir));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
