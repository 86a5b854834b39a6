// Prints, one a line, the test files that `--changed` runs after a change of the file that is its argument.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = await createVitest('test', { root, related: process.argv.slice(2), watch: false });
for (const { moduleId } of await vitest.getRelevantTestSpecifications()) {
  process.stdout.write(`${relative(root, moduleId)}\n`);
}
await vitest.close();
