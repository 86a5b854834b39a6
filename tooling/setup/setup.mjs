// npm run setup: installs whatever is missing, with the browser of the tests after `-- --browser`.

import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';

await runMain(async () => {
  const { node } = await setUp({ browser: process.argv.includes('--browser') });
  console.error(`Set up, with Node at ${node}`);
  return 0;
});
