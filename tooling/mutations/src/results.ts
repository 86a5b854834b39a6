import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { pathOf } from './root.ts';

/** The last run of each requirement; the table in docs/security.md is made from it. */
const FILE = 'docs/mutations.json';

const requirementResult = z.object({
  /** The day of the run, as in RFC 3339. */
  at: z.iso.date(),
  mutations: z.array(
    z.object({
      change: z.string(),
      /** The titles of the tests that failed under it. */
      failed: z.array(z.string()),
    }),
  ),
});

export type RequirementResult = z.output<typeof requirementResult>;

/** By the number of the requirement. */
export type MutationResults = Readonly<Record<string, RequirementResult>>;

export function readMutationResults(): MutationResults {
  let text = '{}';
  try {
    text = readFileSync(pathOf(FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return z.record(z.string(), requirementResult).parse(JSON.parse(text));
}

/** Replaces the result of one requirement, and leaves the others as they are. */
export function keepMutationResult(requirement: number, result: RequirementResult): MutationResults {
  const all = { ...readMutationResults(), [requirement]: result };
  writeFileSync(pathOf(FILE), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
