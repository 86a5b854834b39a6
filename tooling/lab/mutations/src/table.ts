import type { Requirement } from './requirements.ts';
import type { MutationResults } from './results.ts';

const HEAD = `# Security: mutations

\`npm run mutations\` changes the product so that a protection no longer holds, runs the tests in the requirement's row, and
counts the tests that fail. Each test of the [security requirements](../security.md) fails under at least one change. \`npm test\`
checks this in the results below, and that every change still applies to the sources. \`npm run docs\` writes this page from
\`docs/develop/mutations.json\`: do not edit it.
`;

/** Returns docs/develop/security/mutations.md: each mutation with the last run of its requirement. */
export function mutationsDocument(requirements: readonly Requirement[], results: MutationResults): string {
  const rows = requirements.flatMap(({ number, tests }) => {
    const result = results[number];
    if (!result) return [`| ${number} | no run yet | |\n`];
    return result.mutations.map(
      ({ change, failed }, index) =>
        `| ${index === 0 ? number : ''} | ${change} | ${failed.length} of ${tests.length} |\n`,
    );
  });
  return `${HEAD}\n| | change | tests that fail |\n|---|---|---|\n${rows.join('')}`;
}

/** Returns the titles of the requirement's tests that failed under none of its mutations. */
export function unseen({ number, tests }: Requirement, results: MutationResults): readonly string[] {
  const failed = new Set(results[number]?.mutations.flatMap((mutation) => mutation.failed));
  return tests.map(({ title }) => title).filter((title) => !failed.has(title));
}
