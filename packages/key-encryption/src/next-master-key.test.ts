import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasterKey, type MasterKey, parseMasterKey } from './master-key.ts';
import { giveAccess } from './master-key-file.ts';
import { prepareNextMasterKey } from './next-master-key.ts';

const DAY = '2026-11-21';
const isRoot = process.getuid?.() === 0;

describe('The next master key', () => {
  let folder: string;
  let file: string;
  let current: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-next-'));
    file = join(folder, 'master.key');
    current = createMasterKey();
    await writeFile(file, `${current}\n`, { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const names = async () => (await readdir(folder)).toSorted();
  const contentOf = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777;
  const textOf = (masterKey: MasterKey) => Buffer.from(masterKey).toString('base64url');

  function keyOf(text: string): MasterKey {
    const parsed = parseMasterKey(text);
    return parsed.ok ? parsed.value : expect.fail(parsed.error.message);
  }

  async function prepare(given?: MasterKey, day = DAY) {
    const next = await prepareNextMasterKey({ file, given, day });
    return next.ok ? next.value : expect.fail(next.error.message);
  }

  /** Why it is refused. */
  async function refusal(given?: MasterKey): Promise<string> {
    const next = await prepareNextMasterKey({ file, given, day: DAY });
    return next.ok ? expect.fail('it was prepared') : next.error.message;
  }

  it('replaces the current one, which is kept under the date', async () => {
    const { masterKey, placement, settle } = await prepare();
    expect(placement).toEqual({ kind: 'replaced', path: file, kept: `${file}.${DAY}` });
    // Both are stored before anything is encrypted.
    expect(await names()).toEqual(['master.key', `master.key.${DAY}`, 'master.key.new']);
    expect(await contentOf('master.key')).toBe(current);

    expect(await settle()).toBeUndefined();
    expect(await names()).toEqual(['master.key', `master.key.${DAY}`]);
    expect(await contentOf('master.key')).toBe(textOf(masterKey));
    expect(await contentOf(`master.key.${DAY}`)).toBe(current);
    for (const name of await names()) expect(await modeOf(name)).toBe(0o600);
  });

  it('does not overwrite a kept one: a number follows the date', async () => {
    const kept: string[] = [];
    await writeFile(`${file}.${DAY}.2`, 'of another user');
    for (let time = 0; time < 3; time += 1) {
      const { placement, settle } = await prepare();
      kept.push(placement.kind === 'replaced' ? placement.kept : '');
      await settle();
    }
    expect(kept).toEqual(['', '.3', '.4'].map((number) => `${file}.${DAY}${number}`));
    expect(await contentOf(`master.key.${DAY}.2`)).toBe('of another user');
    expect(await contentOf(`master.key.${DAY}`)).toBe(current);
    expect(new Set(await Promise.all((await names()).map(contentOf))).size).toBe(5);
  });

  it('is the same one after an interruption at any step, and the current one is kept once', async () => {
    const first = await prepare();
    const again = await prepare(undefined, '2026-11-22');
    expect(again.masterKey).toEqual(first.masterKey);
    expect(again.placement).toEqual(first.placement);
    expect(await names()).toEqual(['master.key', `master.key.${DAY}`, 'master.key.new']);

    // Before the next one was stored.
    await rm(`${file}.new`);
    expect((await prepare()).placement).toEqual(first.placement);
    // Before the current one was kept, as if the operator had put the next one there.
    await rm(`${file}.${DAY}`);
    const { masterKey, placement, settle } = await prepare(undefined, '2026-11-22');
    expect(placement).toEqual({ kind: 'replaced', path: file, kept: `${file}.2026-11-22` });
    await settle();
    expect(await contentOf('master.key')).toBe(textOf(masterKey));
    expect(await contentOf('master.key.2026-11-22')).toBe(current);
    expect((await prepare()).masterKey).not.toEqual(masterKey);
  });

  it('keeps the current one under the date, even if the operator has a link to it', async () => {
    await link(file, join(folder, 'master.key.of-mine'));
    expect((await prepare()).placement).toMatchObject({ kept: `${file}.${DAY}` });
  });

  it('is the one passed in', async () => {
    const text = createMasterKey();
    const { settle } = await prepare(keyOf(text));
    await settle();
    expect(await contentOf('master.key')).toBe(text);
  });

  it('cannot differ from the one under which an earlier attempt may have sealed keys', async () => {
    await prepare();
    const left = await contentOf('master.key.new');
    expect(await refusal(keyOf(createMasterKey()))).toMatch(
      /run `gatehouse key rewrap` without --new-master-key-file to finish it.*`gatehouse doctor` reports/,
    );
    expect(await contentOf('master.key.new')).toBe(left);
    // The same key is accepted.
    expect((await prepare(keyOf(left))).placement.kind).toBe('replaced');
  });

  it('is not waited for in a pipe that another user put in its place', async () => {
    execFileSync('mkfifo', [`${file}.new`]);
    expect(await refusal()).toBe(`${file}.new is not a regular file`);
  });

  it('is left to the operator if the settings hold the current one', async () => {
    const given = keyOf(createMasterKey());
    const next = await prepareNextMasterKey({ file: undefined, given, day: DAY });
    expect(next).toMatchObject({
      ok: true,
      value: { masterKey: given, placement: { kind: 'left', path: undefined } },
    });
    expect(next.ok && (await next.value.settle())).toBeUndefined();
    expect(await names()).toEqual(['master.key']);
    expect(await prepareNextMasterKey({ file: undefined, given: undefined, day: DAY })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('--new-master-key-file') },
    });
  });

  it('is left to the operator if the file is a link, like a mounted secret', async () => {
    const [real, given] = [join(folder, 'real'), keyOf(createMasterKey())];
    await rename(file, real);
    await symlink(real, file);
    expect(await refusal()).toContain('is a symbolic link or not a regular file');
    expect((await prepare(given)).placement).toMatchObject({ kind: 'left', path: file });
    expect(await names()).toEqual(['master.key', 'real']);

    // A key beside it is the next one.
    await writeFile(`${file}.new`, textOf(given), { mode: 0o600 });
    const { masterKey, settle } = await prepare();
    expect(masterKey).toEqual(given);
    await settle();
    expect(await names()).toEqual(['master.key', 'master.key.new', 'real']);
    expect(await contentOf('master.key')).toBe(current);
  });

  it.runIf(process.platform === 'linux' && isRoot)(
    'has owner and mode of the one in use, also where the operator made it',
    async () => {
      for (const [uid, gid, mode] of [
        [54_321, 54_321, 0o600],
        [0, 54_321, 0o640],
      ] as const) {
        for (const isMadeByOperator of [false, true]) {
          await chown(file, uid, gid);
          await chmod(file, mode);
          if (isMadeByOperator) await writeFile(`${file}.new`, createMasterKey(), { mode: 0o600 });
          const { settle } = await prepare();
          // A server that restarts before the replacement reads it, too.
          for (const name of ['master.key', 'master.key.new']) {
            expect(await stat(join(folder, name))).toMatchObject({ uid, gid, mode: 0o100_000 | mode });
          }
          await settle();
          expect(await stat(file)).toMatchObject({ uid, gid, mode: 0o100_000 | mode });
        }
      }
    },
  );

  it.runIf(process.platform === 'linux' && isRoot)(
    'is refused where another user put it, who would know it',
    async () => {
      await writeFile(`${file}.new`, createMasterKey(), { mode: 0o600 });
      await chown(`${file}.new`, 54_321, 54_321);
      const refused = /master\.key\.new belongs to another user \(uid 54321\): .* remove it/;
      expect(await refusal()).toMatch(refused);
      expect(await stat(`${file}.new`)).toMatchObject({ uid: 54_321 });
      expect(await names()).toEqual(['master.key', 'master.key.new']);
      // Put there between two steps.
      expect(await giveAccess(`${file}.new`, await stat(file))).toMatchObject({
        message: expect.stringMatching(refused),
      });
      // Beside a mounted secret, where nothing is created.
      await rename(file, join(folder, 'real'));
      await symlink(join(folder, 'real'), file);
      expect(await refusal()).toMatch(refused);
      // The file's own user may.
      await chown(join(folder, 'real'), 54_321, 54_321);
      expect((await prepare()).placement.kind).toBe('left');
    },
  );

  it.runIf(process.platform === 'linux' && isRoot)(
    'is refused where it has another name, whose owner and mode would change with it',
    async () => {
      const other = join(folder, 'of-another-user');
      await writeFile(other, createMasterKey(), { mode: 0o600 });
      await link(other, `${file}.new`);
      await chown(file, 54_321, 54_321);
      expect(await refusal()).toMatch(/master\.key\.new .* is not a regular file with one name$/);
      expect(await stat(other)).toMatchObject({ uid: 0, gid: 0 });
    },
  );

  it('must not be a symbolic link, which would replace a file', async () => {
    const real = join(folder, 'real');
    await writeFile(real, createMasterKey(), { mode: 0o600 });
    await symlink(real, `${file}.new`);
    expect(await refusal()).toMatch(
      /master\.key\.new cannot be given the owner and the mode of .*: too many symbolic links/,
    );
    expect(await contentOf('master.key')).toBe(current);
  });

  it('reports an invalid next one, without its content', async () => {
    await writeFile(`${file}.new`, 'secret-word', { mode: 0o600 });
    const wrong = await refusal();
    expect(wrong).toMatch(/master\.key\.new contains no master key/);
    expect(wrong).not.toContain('secret-word');
    expect(await names()).toEqual(['master.key', 'master.key.new']);
  });

  it('reports a failed replacement', async () => {
    const { settle } = await prepare();
    await rm(`${file}.new`);
    expect(await settle()).toMatchObject({ message: expect.stringContaining('cannot be renamed') });
    expect(await contentOf('master.key')).toBe(current);
  });
});
