import type { Requirement } from './requirements.ts';
import type { MutationResults } from './results.ts';

const [BEGIN, END] = ['<!-- mutations -->', '<!-- /mutations -->'];

/** Returns the document with the table of results between its two marks. */
export function withMutationTable(
  document: string,
  requirements: readonly Requirement[],
  results: MutationResults,
): string {
  const [head, tail] = [document.split(BEGIN), document.split(END)];
  if (head.length !== 2 || tail.length !== 2)
    throw new Error(`the document needs ${BEGIN} and ${END} once each`);
  return `${head[0]}${BEGIN}\n\n${mutationTable(requirements, results)}\n${END}${tail[1]}`;
}

export function mutationTable(requirements: readonly Requirement[], results: MutationResults): string {
  const rows = requirements.flatMap(({ number, tests }) => {
    const result = results[number];
    if (!result) return [`| ${number} | no run yet | |\n`];
    return result.mutations.map(
      ({ change, failed }, index) =>
        `| ${index === 0 ? number : ''} | ${change} | ${failed.length} of ${tests.length} |\n`,
    );
  });
  return `| | change | tests that fail |\n|---|---|---|\n${rows.join('')}`;
}

/** Returns the titles of the requirement's tests that failed under none of its mutations. */
export function unseen({ number, tests }: Requirement, results: MutationResults): readonly string[] {
  const failed = new Set(results[number]?.mutations.flatMap((mutation) => mutation.failed));
  return tests.map(({ title }) => title).filter((title) => !failed.has(title));
}
