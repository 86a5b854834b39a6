import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasterKey, parseMasterKey } from './master-key.ts';
import { prepareNextMasterKey } from './next-master-key.ts';

describe('The next master key', () => {
  let folder: string;
  let current: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-next-'));
    current = createMasterKey();
    await writeFile(join(folder, 'master.key'), `${current}\n`, { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const contentOf = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const bytesOf = (text: string) => parseMasterKey(text);

  async function prepare(file?: string) {
    const next = await prepareNextMasterKey({ dataDir: folder, file });
    return next.ok ? next.value : expect.fail(next.error.message);
  }

  async function aFile(text = createMasterKey()): Promise<{ file: string; text: string }> {
    const file = join(folder, 'given');
    await writeFile(file, `${text}\n`);
    return { file, text };
  }

  it('waits in the data folder, for its owner only, until it takes the place of the one in use', async () => {
    const { masterKey, path, settle } = await prepare();
    expect(path).toBe(join(folder, 'master.key'));
    expect((await readdir(folder)).toSorted()).toEqual(['master.key', 'master.key.new']);
    expect((await stat(join(folder, 'master.key.new'))).mode & 0o777).toBe(0o600);
    expect(await contentOf('master.key')).toBe(current);
    expect(bytesOf(await contentOf('master.key.new'))).toEqual({ ok: true, value: masterKey });

    expect(await settle()).toBeUndefined();
    expect(await readdir(folder)).toEqual(['master.key']);
    expect(bytesOf(await contentOf('master.key'))).toEqual({ ok: true, value: masterKey });
  });

  it('is the same one until it has taken that place, and then another', async () => {
    const { masterKey, settle } = await prepare();
    expect((await prepare()).masterKey).toEqual(masterKey);
    await settle();
    expect((await prepare()).masterKey).not.toEqual(masterKey);
  });

  it('is the one of the file that is given, which stays as it is', async () => {
    const { file, text } = await aFile();
    const { masterKey, settle } = await prepare(file);
    expect(bytesOf(text)).toEqual({ ok: true, value: masterKey });
    await settle();
    expect(await contentOf('master.key')).toBe(text);
    expect(await contentOf('given')).toBe(text);
  });

  it('is not another one than an earlier attempt may have sealed keys under', async () => {
    await prepare();
    const left = await contentOf('master.key.new');
    const { file } = await aFile();
    expect(await prepareNextMasterKey({ dataDir: folder, file })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('finish that first, with `gatehouse key rewrap` alone') },
    });
    expect(await contentOf('master.key.new')).toBe(left);
    // The same is no other.
    await writeFile(file, left);
    expect((await prepare(file)).path).toBeDefined();
  });

  it('stays with whoever gave it where the settings give the master key', async () => {
    const { file, text } = await aFile();
    const next = await prepareNextMasterKey({ dataDir: undefined, file });
    expect(next).toMatchObject({ ok: true, value: { path: undefined } });
    expect(next.ok && { ok: true, value: next.value.masterKey }).toEqual(bytesOf(text));
    expect(next.ok && (await next.value.settle())).toBeUndefined();
    expect((await readdir(folder)).toSorted()).toEqual(['given', 'master.key']);
    expect(await prepareNextMasterKey({ dataDir: undefined, file: undefined })).toMatchObject({ ok: false });
  });

  it('says what is wrong with a file, without what is in it', async () => {
    const missing = await prepareNextMasterKey({ dataDir: folder, file: join(folder, 'none') });
    expect(missing).toMatchObject({ error: { message: expect.stringContaining('no such file') } });
    const { file } = await aFile('secret-word');
    const wrong = await prepareNextMasterKey({ dataDir: folder, file });
    expect(wrong).toMatchObject({ error: { message: expect.stringContaining('holds no master key') } });
    expect(JSON.stringify(wrong)).not.toContain('secret-word');
    expect(await readdir(folder)).not.toContain('master.key.new');
    await writeFile(join(folder, 'master.key.new'), 'damaged');
    expect(await prepareNextMasterKey({ dataDir: folder, file: undefined })).toMatchObject({
      error: { message: expect.stringMatching(/master\.key\.new holds no master key/) },
    });
  });

  it('says so where it cannot take its place', async () => {
    const { settle } = await prepare();
    await rm(join(folder, 'master.key.new'));
    expect(await settle()).toMatchObject({ message: expect.stringContaining('cannot be renamed') });
    expect(await contentOf('master.key')).toBe(current);
  });
});
