import { readFile, writeFile } from 'node:fs/promises';
import type { Figure } from '@gatehouse/fault-figures';

/** The last full run of each fault, from which `docs/develop/reliability.md` is generated. */
const FILE = new URL('../../../../docs/develop/reliability.json', import.meta.url);

export interface FaultResult {
  /** When it began, as in RFC 3339. */
  readonly at: string;
  /** The tested commit. */
  readonly commit: string;
  /** The machine: figures of two machines are not comparable. */
  readonly machine: string;
  readonly seconds: number;
  readonly tests: { readonly passed: number; readonly failed: number };
  readonly figures: readonly Figure[];
}

export type FaultResults = Readonly<Record<string, FaultResult>>;

export async function readResults(): Promise<FaultResults> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

/** Keeps the results of other faults, because each fault is run by itself and may be interrupted. */
export async function keepResult(name: string, kept: FaultResult): Promise<FaultResults> {
  const all = { ...(await readResults()), [name]: kept };
  await writeFile(FILE, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
