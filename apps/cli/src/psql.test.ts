import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { expect, test } from 'vitest';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

const GUIDE = new URL('../../../docs/operate/embedded-database.md', import.meta.url);

const hasPsql = spawnSync('psql', ['--version']).status === 0;
const title = `the guide's way into the embedded database with psql works as pasted${hasPsql ? '' : ' (NOT TRIED: there is no psql on the PATH)'}`;
if (!hasPsql) process.stderr.write(`${title}\n`);

test.skipIf(!hasPsql)(title, async () => {
  const cwd = await aTemporaryFolder();
  await using _embedded = await openEmbeddedPostgres({ dataDir: join(cwd, '.gatehouse') });
  const blocks = (await readFile(GUIDE, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms);
  const [command] = [...blocks]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('psql --host'));
  const { stdout, stderr } = spawnSync('sh', ['-c', command ?? ''], {
    cwd,
    input: '\\pset tuples_only\nselect current_user;\n',
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('gatehouse_app');
});
