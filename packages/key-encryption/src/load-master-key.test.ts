import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findGivenMasterKey, loadMasterKey } from './load-master-key.ts';
import { createMasterKey, type MasterKey } from './master-key.ts';

const MODULE = new URL('./load-master-key.ts', import.meta.url).href;

describe('Loading the master key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-master-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const key = new Uint8Array(32).fill(7) as MasterKey;
  const text = Buffer.from(key).toString('base64url');
  const loadedFrom = (file: string | undefined) => ({ ok: true, value: { masterKey: key, file } });
  const refused = (said: string | RegExp) => {
    const message = typeof said === 'string' ? said : expect.stringMatching(said);
    return { ok: false, error: { code: 'master_key_unusable', message } };
  };

  /** Returns the output of another process that has imported the module. */
  async function run(body: string, arg: string, options: object = {}): Promise<string> {
    const script = `const module = await import(${JSON.stringify(MODULE)}); ${body}`;
    const args = ['--input-type=module', '--eval', script, arg];
    return (await promisify(execFile)(process.execPath, args, options)).stdout.toString();
  }

  it('uses the key in the setting, and creates no file', async () => {
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY: key, dataDir: folder })).toEqual(
      loadedFrom(undefined),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['', '\n', '\r\n', '\r', '  \n'])(
    'takes the key from the file that is set, which may end in %j',
    async (end) => {
      const file = join(folder, 'key');
      await writeFile(file, text + end, { mode: 0o600 });
      expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file, dataDir: folder })).toEqual(
        loadedFrom(file),
      );
      expect(await readdir(folder)).toEqual(['key']);
    },
  );

  it('says how to set one if the database is not the embedded one', async () => {
    expect(await loadMasterKey({})).toEqual(
      refused(
        /^a master key is required when DATABASE_URL is set: .*`gatehouse key new-master` prints a new one\)$/,
      ),
    );
  });

  it('names a file that is missing, unreadable or not a file', async () => {
    const file = join(folder, 'key');
    const load = () => loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file });
    expect(await load()).toEqual(
      refused(`GATEHOUSE_MASTER_KEY_FILE: ${file} cannot be read: no such file or directory`),
    );
    await writeFile(file, 'secret-word', { mode: 0o600 });
    const other = await load();
    expect(other).toEqual(
      refused(/^GATEHOUSE_MASTER_KEY_FILE: .* contains no master key: it must be 32 bytes/),
    );
    expect(JSON.stringify(other)).not.toContain('secret-word');
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: folder })).toEqual(
      refused(`GATEHOUSE_MASTER_KEY_FILE: ${folder} cannot be read: it is a folder: name the file in it`),
    );
    await symlink('none', join(folder, 'link'));
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: join(folder, 'link') })).toEqual(
      refused(
        `GATEHOUSE_MASTER_KEY_FILE: ${join(folder, 'link')} cannot be read: it is a link to none, which does not exist`,
      ),
    );
  });

  it('does not repeat a key that is given as the name of a file', async () => {
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: text })).toEqual(
      refused('GATEHOUSE_MASTER_KEY_FILE: the value must be the name of a file, but is a master key'),
    );
  });

  it('creates one in the data folder, for its owner only, and finds it again', async () => {
    const dataDir = join(folder, 'new', 'data');
    const first = await loadMasterKey({ dataDir });
    expect(first).toMatchObject({ ok: true, value: { file: join(dataDir, 'master.key') } });
    expect(await readdir(dataDir)).toEqual(['master.key']);
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
    expect(await loadMasterKey({ dataDir })).toEqual(first);
    expect(await loadMasterKey({ dataDir, mayCreate: false })).toEqual(first);
    expect(await loadMasterKey({ dataDir: join(folder, 'other') })).not.toEqual(first);
  });

  it('creates none if signing keys are stored, which a new one could not open', async () => {
    expect(await loadMasterKey({ dataDir: folder, mayCreate: false })).toEqual(
      refused(`master key: ${join(folder, 'master.key')} cannot be read: no such file or directory`),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('never overwrites an existing file', async () => {
    for (const content of ['', 'damaged', createMasterKey().slice(1)]) {
      await writeFile(join(folder, 'master.key'), content, { mode: 0o600 });
      expect(await loadMasterKey({ dataDir: folder })).toEqual(
        refused(/master\.key contains no master key: it must/),
      );
      expect(await readFile(join(folder, 'master.key'), 'utf8')).toBe(content);
    }
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('refuses a file, and a next one beside it, that other users can read or change, and names the command that fixes it', async () => {
    const file = join(folder, 'master.key');
    for (const path of [file, `${file}.new`]) await writeFile(path, text, { mode: 0o600 });
    const loads = [{ GATEHOUSE_MASTER_KEY_FILE: file }, { dataDir: folder }];
    for (const path of [file, `${file}.new`]) {
      for (const mode of [0o644, 0o604, 0o602]) {
        await chmod(path, mode);
        const exposed = refused(new RegExp(`: other users can .* ${path} .*: run \`chmod 600 ${path}\`$`));
        for (const load of loads) expect(await loadMasterKey(load)).toEqual(exposed);
        for (const load of loads) expect(await findGivenMasterKey(load)).toEqual(exposed);
      }
      await chmod(path, 0o600);
      for (const load of loads) expect(await loadMasterKey(load)).toEqual(loadedFrom(file));
    }
  });

  it.runIf(process.getuid?.() === 0)('refuses a next one that another user put beside it', async () => {
    const file = join(folder, 'master.key');
    for (const path of [file, `${file}.new`]) await writeFile(path, text, { mode: 0o600 });
    await chown(`${file}.new`, 54_321, 54_321);
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file })).toEqual(
      refused(/\.new belongs to another user \(uid 54321\): if you did not create this file, remove it/),
    );
  });

  it('reports a next one beside it that cannot be read', async () => {
    const file = join(folder, 'master.key');
    await writeFile(file, text, { mode: 0o600 });
    await symlink('master.key.new', `${file}.new`);
    for (const load of [{ GATEHOUSE_MASTER_KEY_FILE: file }, { dataDir: folder }]) {
      const unreadable = refused(
        new RegExp(`: ${file}.new cannot be read: too many symbolic links encountered \\(.* ${file}\\)$`),
      );
      expect(await loadMasterKey(load)).toEqual(unreadable);
      expect(await findGivenMasterKey(load)).toEqual(unreadable);
    }
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'says so where the one that waits beside it is readable by root only',
    async () => {
      const file = join(folder, 'master.key');
      for (const path of [file, `${file}.new`]) await writeFile(path, text, { mode: 0o600 });
      for (const path of [folder, file]) await chown(path, 54_321, 54_321);
      const load = `
        const loaded = await module.loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: process.argv[1] });
        process.stdout.write(loaded.ok ? 'loaded' : loaded.error.message);`;
      const said = await run(load, file, { uid: 54_321, gid: 54_321 });
      expect(said).toContain(`${file}.new cannot be read: permission denied to the user 54321 `);
    },
    30_000,
  );

  it('refuses a file in a folder in which other users can replace it', async () => {
    const file = join(folder, 'key');
    const link = join(folder, 'link');
    await writeFile(file, text, { mode: 0o600 });
    await symlink(file, link);
    await chmod(folder, 0o777);
    for (const path of [file, link]) {
      expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: path })).toEqual(
        refused(
          `GATEHOUSE_MASTER_KEY_FILE: other users can write in ${folder} (mode 0777): run \`chmod go-w ${folder}\``,
        ),
      );
    }
    await chmod(folder, 0o1777);
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file })).toEqual(loadedFrom(file));
  });

  it.runIf(process.getuid?.() === 0)(
    'takes one of root that a group may read, where the settings name it',
    async () => {
      const file = join(folder, 'master.key');
      await writeFile(file, text);
      for (const mode of [0o440, 0o640]) {
        await chmod(file, mode);
        expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file })).toEqual(loadedFrom(file));
        expect(await loadMasterKey({ dataDir: folder })).toEqual(
          refused(/^master key: other users can read/),
        );
      }
    },
  );

  it('refuses a named pipe that other users can read or write', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', ['-m', '0644', pipe]);
    // Nothing writes to it: the user who put it there may never do so.
    const exposed = refused(new RegExp(`: other users can read ${pipe} .*: run .chmod 600 ${pipe}.$`));
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: pipe })).toEqual(exposed);
  });

  it('is read only once, as a pipe requires', async () => {
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `"$0" --input-type=module --eval "$1" <(printf %s ${text})`,
      process.execPath,
      `const { findGivenMasterKey } = await import(${JSON.stringify(MODULE)});
       const found = await findGivenMasterKey({ GATEHOUSE_MASTER_KEY_FILE: process.argv[1] });
       const { masterKey, pipe } = found.value;
       process.stdout.write(JSON.stringify([Buffer.from(masterKey).toString('base64url'), pipe]));`,
    ]);
    expect(JSON.parse(stdout)).toEqual([text, true]);
  });

  it('is found without knowing the stored keys, unless it may have to be created', async () => {
    const nothing = { ok: true, value: undefined };
    expect(await findGivenMasterKey({ dataDir: folder })).toEqual(nothing);
    expect(await findGivenMasterKey({ dataDir: join(folder, 'none') })).toEqual(nothing);
    expect(await readdir(folder)).toEqual([]);
    expect(await findGivenMasterKey({ GATEHOUSE_MASTER_KEY: text })).toEqual(loadedFrom(undefined));
    expect(await findGivenMasterKey({ GATEHOUSE_MASTER_KEY: 'x' })).toEqual(nothing);
    expect(await findGivenMasterKey({})).toEqual(
      refused(/^a master key is required when DATABASE_URL is set/),
    );
    await writeFile(join(folder, 'master.key'), 'damaged', { mode: 0o600 });
    expect(await findGivenMasterKey({ dataDir: folder })).toEqual(
      refused(/master\.key contains no master key/),
    );
  });

  it('reports a data folder that cannot hold one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '', { mode: 0o600 });
    expect(await loadMasterKey({ dataDir: file })).toEqual(
      refused(`a master key cannot be stored in ${file}: not a directory`),
    );
  });

  it('gives concurrent callers the same key, in one process', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => loadMasterKey({ dataDir: folder })));
    for (const other of keys) expect(other).toEqual(keys[0]);
    expect(keys[0]).toMatchObject({ ok: true });
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('gives concurrent callers the same key, in several processes', async () => {
    const load = `
      const { ok, value } = await module.loadMasterKey({ dataDir: process.argv[1] });
      process.stdout.write(ok ? Buffer.from(value.masterKey).toString('base64url') : 'refused');`;
    const keys = await Promise.all(Array.from({ length: 4 }, () => run(load, folder)));
    const stored = await readFile(join(folder, 'master.key'), 'utf8');
    for (const key of keys) expect(`${key}\n`).toBe(stored);
  });
});
