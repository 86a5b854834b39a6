// npm run setup: installs whatever is missing.

import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';

await runMain(async () => {
  const { node } = await setUp();
  console.error(`Set up, with Node at ${node}`);
  return 0;
});
