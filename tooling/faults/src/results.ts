import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** The last full run of each fault, from which `docs/reliability.md` is generated. */
const FILE = new URL('../../../docs/reliability.json', import.meta.url);

const figure = z.object({
  name: z.string(),
  measured: z.string(),
  bar: z.string().optional(),
  holds: z.boolean().optional(),
});

const result = z.object({
  /** When it began, as in RFC 3339. */
  at: z.string(),
  /** The tested commit. */
  commit: z.string(),
  /** The machine: figures of two machines are not comparable. */
  machine: z.string(),
  seconds: z.number(),
  tests: z.object({ passed: z.number(), failed: z.number() }),
  figures: z.array(figure),
});

export type FaultResult = z.output<typeof result>;

const results = z.record(z.string(), result);

export type FaultResults = z.output<typeof results>;

export async function readResults(): Promise<FaultResults> {
  const text = await readFile(FILE, 'utf8').catch(() => '{}');
  return results.parse(JSON.parse(text));
}

/** Keeps the results of other faults: each is run, and may be interrupted, on its own. */
export async function keepResult(name: string, kept: FaultResult): Promise<FaultResults> {
  const all = { ...(await readResults()), [name]: kept };
  await writeFile(FILE, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
