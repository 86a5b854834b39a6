import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAMS: [path: string, ...args: string[]][] = [
  ['../bin/gatehouse.js', '--version'],
  ['../../server/bin/gatehouse-server.js'],
];

/** Prints the built-in modules that were loaded to strip types. */
const PROBE = `process.on('exit', () => {
  console.error(process.moduleLoadList.filter((name) => name.includes('amaro')).length, 'strip types');
})`;

test.each(PROGRAMS)('%s, run once before, loads nothing that strips types', (path, ...args) => {
  const program = fileURLToPath(new URL(path, import.meta.url));
  const { PATH = '' } = process.env;
  // Without a setting that is right, the server ends as soon as it has loaded.
  const env = { PATH, PORT: 'none' };
  const run = () =>
    spawnSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(PROBE)}`, program, ...args],
      {
        env,
        encoding: 'utf8',
      },
    );
  run();
  expect(run().stderr).toContain('0 strip types');
});
