// Prints, one a line, which test files `--changed` runs after a change of a file: `related-tests.ts CHANGED PART...`, of those
// whose path has one of the parts. Each test file whose imports are followed takes time.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [changed = '', ...parts] = process.argv.slice(2);
const vitest = await createVitest('test', { root, related: [changed], watch: false });
for (const { moduleId } of await vitest.getRelevantTestSpecifications(parts)) {
  process.stdout.write(`${relative(root, moduleId)}\n`);
}
await vitest.close();
