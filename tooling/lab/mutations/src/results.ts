import { readFileSync, writeFileSync } from 'node:fs';
import { pathOf } from './root.ts';

/** The last run of each requirement; docs/develop/security/mutations.md is written from it. */
const FILE = 'docs/develop/mutations.json';

export interface RequirementResult {
  /** The day of the run, as in RFC 3339. */
  readonly at: string;
  /** The titles of the tests that failed under each. */
  readonly mutations: readonly { readonly change: string; readonly failed: readonly string[] }[];
}

/** By the number of the requirement. */
export type MutationResults = Readonly<Record<string, RequirementResult>>;

export function readMutationResults(): MutationResults {
  return JSON.parse(readFileSync(pathOf(FILE), 'utf8'));
}

/** Replaces the result of one requirement, and leaves the others as they are. */
export function keepMutationResult(requirement: number, result: RequirementResult): void {
  const all = { ...readMutationResults(), [requirement]: result };
  writeFileSync(pathOf(FILE), `${JSON.stringify(all, null, 2)}\n`);
}
