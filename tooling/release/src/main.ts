// npm run release -- --dry-run: makes dist/release, and installs and uses each of its packages. Publishes nothing.
// npm run release -- --verify FOLDER: compares the files of a release with its checksums and its provenance.
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';
import { buildRelease } from './build-release.ts';
import { parseOptions, UsageError } from './options.ts';
import { readSource } from './source.ts';
import { tryRelease } from './trial/try-release.ts';
import { verifyRelease } from './verify-release.ts';

const FOLDER = join(ROOT, 'dist/release');

try {
  const task = parseOptions(process.argv.slice(2));
  process.exitCode = task.kind === 'verify' ? verify(task.folder) : await make(task.mayBeDirty);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function make(mayBeDirty: boolean): Promise<number> {
  const source = readSource();
  if (source.changes.length > 0 && !mayBeDirty) {
    console.error(
      `The checkout has changes that are not committed, so no one could make this release again:\n${source.changes.join('\n')}\nCommit them, or pass --allow-dirty to try a release that is not handed out.`,
    );
    return 1;
  }
  const tarballs = await buildRelease(FOLDER, source);
  for (const file of tarballs) {
    console.log(`${relative(ROOT, file)}  ${Math.ceil(statSync(file).size / 1024)} KiB`);
  }
  await tryRelease(tarballs, (line) => console.log(line));
  const differences = verifyRelease(FOLDER);
  for (const line of differences) console.error(line);
  if (differences.length > 0) return 1;
  console.log(
    'dist/release matches its checksums and its provenance, which are not signed. Nothing was published.',
  );
  return 0;
}

function verify(folder: string): number {
  const differences = verifyRelease(folder);
  for (const line of differences) console.error(line);
  if (differences.length === 0)
    console.log('All files match SHA256SUMS and provenance.json, which are not signed.');
  return differences.length === 0 ? 0 : 1;
}
