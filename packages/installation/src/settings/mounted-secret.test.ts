import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordSkip } from '@gatehouse/fault-figures';
import { expect, onTestFinished, test } from 'vitest';

/** The user id of the image. */
const USER = 10_001;

const SWAPS = 200;

/** The layout in which the kubelet mounts a Secret for pods with `fsGroup` and `defaultMode: 0440`. */
function mountSecret() {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-mounted-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  chmodSync(parent, 0o755);
  const folder = join(parent, 'gatehouse');
  const own = (path: string, mode: number) => {
    chownSync(path, 0, USER);
    chmodSync(path, mode);
  };
  mkdirSync(folder);
  own(folder, 0o3777);
  let version = 0;
  let former: string | undefined;
  return {
    file: join(folder, 'database_url'),
    /** Writes a folder of its own, leads the link to it, and removes the one before. */
    store(text: string, mode = 0o440) {
      version += 1;
      const name = `..2026_11_24_10_00_00.${version}`;
      mkdirSync(join(folder, name));
      own(join(folder, name), 0o2755);
      writeFileSync(join(folder, name, 'database_url'), text);
      own(join(folder, name, 'database_url'), mode);
      symlinkSync(name, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
      if (former === undefined) symlinkSync('..data/database_url', join(folder, 'database_url'));
      else rmSync(join(folder, former), { recursive: true });
      former = name;
    },
  };
}

/** Reads the file again and again as the image's user, and prints each outcome that differs from the one before. */
const READER = `
  const [module, file, until] = process.argv.slice(1);
  const { readSecretFile } = await import(module);
  let last;
  do {
    const read = readSecretFile(file);
    const outcome = read.ok ? read.value.text : read.error;
    if (outcome !== last) console.log(outcome);
    last = outcome;
    await new Promise(setImmediate);
  } while (until !== undefined && last !== until);`;

async function readAsImage(file: string, until?: string): Promise<readonly string[]> {
  const module = new URL('./secret-file.ts', import.meta.url).href;
  const args = [
    '--input-type=module',
    '--eval',
    READER,
    module,
    file,
    ...(until === undefined ? [] : [until]),
  ];
  // The module cache is another user's.
  const options = { uid: USER, gid: USER, env: { NODE_DISABLE_COMPILE_CACHE: '1' }, timeout: 60_000 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout.trimEnd().split('\n');
}

const isRoot = process.getuid?.() === 0;
if (!isRoot) recordSkip('a mounted Secret', 'only root can make its files');

test.skipIf(!isRoot)('a Secret that the kubelet mounts for the image’s group is read', async () => {
  const secret = mountSecret();
  secret.store('first\n');
  expect(await readAsImage(secret.file)).toEqual(['first']);
});

test.skipIf(!isRoot)('one that every user of the pod may read is refused', async () => {
  const secret = mountSecret();
  secret.store('first\n', 0o444);
  expect(await readAsImage(secret.file)).toEqual([expect.stringMatching(/other users can read .*mode 0444/)]);
});

test.skipIf(!isRoot)('at every moment of its rotation it is the former or the new one', async () => {
  const secret = mountSecret();
  secret.store('version 0');
  const reading = readAsImage(secret.file, `version ${SWAPS}`);
  for (let version = 1; version <= SWAPS; version += 1) {
    secret.store(`version ${version}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const outcomes = await reading;
  expect(outcomes.filter((each) => !/^version \d+$/.test(each))).toEqual([]);
  expect(outcomes.at(-1)).toBe(`version ${SWAPS}`);
});
