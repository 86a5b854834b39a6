import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMasterKey } from './load-master-key.ts';
import { createMasterKey, type MasterKey } from './master-key.ts';

describe('Loading the master key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-master-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const key = new Uint8Array(32).fill(7) as MasterKey;
  const text = Buffer.from(key).toString('base64url');
  const loadedFrom = (file: string | undefined) => ({ ok: true, value: { masterKey: key, file } });
  const refused = (message: string | RegExp) => ({
    ok: false,
    error: {
      code: 'master_key_unusable',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    },
  });

  it('takes the key that is set, and makes no file', async () => {
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY: key, dataDir: folder })).toEqual(
      loadedFrom(undefined),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['', '\n', '\r\n', '  \n'])(
    'takes the key from the file that is set, which may end in %j',
    async (end) => {
      const file = join(folder, 'key');
      await writeFile(file, text + end);
      expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file, dataDir: folder })).toEqual(
        loadedFrom(file),
      );
      expect(await readdir(folder)).toEqual(['key']);
    },
  );

  it('will not choose between two settings', async () => {
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: '/run/key' })).toEqual(
      refused('GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set: set one of them'),
    );
  });

  it('says how to give one where the database is not the embedded one', async () => {
    expect(await loadMasterKey({})).toEqual(
      refused(
        /^a master key is required when DATABASE_URL is set: .*`gatehouse key new-master` prints a new one\)$/,
      ),
    );
  });

  it('says which file is missing, unreadable or something else', async () => {
    const file = join(folder, 'key');
    const load = () => loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file });
    expect(await load()).toEqual(
      refused(`GATEHOUSE_MASTER_KEY_FILE: ${file} cannot be read: no such file or directory`),
    );
    await writeFile(file, 'secret-word');
    const other = await load();
    expect(other).toEqual(refused(/^GATEHOUSE_MASTER_KEY_FILE: .* holds no master key: it must be 32 bytes/));
    expect(JSON.stringify(other)).not.toContain('secret-word');
    expect(await loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: folder })).toEqual(
      refused(`GATEHOUSE_MASTER_KEY_FILE: ${folder} cannot be read: illegal operation on a directory`),
    );
  });

  it('makes one in the data folder, for its owner only, and finds it again', async () => {
    const dataDir = join(folder, 'new', 'data');
    const first = await loadMasterKey({ dataDir });
    expect(first).toMatchObject({ ok: true, value: { file: join(dataDir, 'master.key') } });
    expect(await readdir(dataDir)).toEqual(['master.key']);
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
    expect(await loadMasterKey({ dataDir })).toEqual(first);
    expect(await loadMasterKey({ dataDir, mayCreate: false })).toEqual(first);
    expect(await loadMasterKey({ dataDir: join(folder, 'other') })).not.toEqual(first);
  });

  it('makes none where keys are stored already, which another one would not open', async () => {
    expect(await loadMasterKey({ dataDir: folder, mayCreate: false })).toEqual(
      refused(`master key: ${join(folder, 'master.key')} cannot be read: no such file or directory`),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('never overwrites what is in its place', async () => {
    for (const content of ['', 'damaged', createMasterKey().slice(1)]) {
      await writeFile(join(folder, 'master.key'), content);
      expect(await loadMasterKey({ dataDir: folder })).toEqual(
        refused(/master\.key holds no master key: it must/),
      );
      expect(await readFile(join(folder, 'master.key'), 'utf8')).toBe(content);
    }
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('says so where the data folder cannot hold one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await loadMasterKey({ dataDir: file })).toEqual(
      refused(`a master key cannot be stored in ${file}: not a directory`),
    );
  });

  it('gives all who start at once the same key, in one process', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => loadMasterKey({ dataDir: folder })));
    for (const other of keys) expect(other).toEqual(keys[0]);
    expect(keys[0]).toMatchObject({ ok: true });
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('gives all who start at once the same key, in several processes', async () => {
    const script = `
      const { loadMasterKey } = await import(${JSON.stringify(new URL('./load-master-key.ts', import.meta.url).href)});
      const { ok, value } = await loadMasterKey({ dataDir: ${JSON.stringify(folder)} });
      process.stdout.write(ok ? Buffer.from(value.masterKey).toString('base64url') : 'refused');`;
    const run = promisify(execFile);
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', script])),
    );
    const stored = await readFile(join(folder, 'master.key'), 'utf8');
    for (const { stdout } of outputs) expect(`${stdout}\n`).toBe(stored);
  }, 30_000);
});
