import type { Requirement } from './requirements.ts';
import type { MutationResults } from './results.ts';

const HEAD = `# Security: mutations

A *mutation* is a change of the source that removes a protection of Gatehouse. \`npm run mutations\` applies each mutation in turn, runs the
tests of its [security requirement](../security.md), and counts the tests that fail.

Each row of the table is one mutation. The first column has the number of its requirement.

\`npm test\` checks that each test of a requirement fails under at least one mutation in the table, and that every mutation still applies to
the sources.

\`npm run mutations\` stores its results in \`docs/develop/mutations.json\`, and \`npm run docs\` writes this page from that file. Do not edit
this page.
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
  return `${HEAD}\n| requirement | change | tests that fail |\n|---|---|---|\n${rows.join('')}`;
}

/** Returns the titles of the requirement's tests that failed under none of its mutations. */
export function unseen({ number, tests }: Requirement, results: MutationResults): readonly string[] {
  const failed = new Set(results[number]?.mutations.flatMap((mutation) => mutation.failed));
  return tests.map(({ title }) => title).filter((title) => !failed.has(title));
}
