import { chmod } from 'node:fs/promises';
import { brokenSecretFiles, SECRET, unreadableSecretFiles } from '@gatehouse/installation/testing';
import { expect, test } from 'vitest';
import { makeDataFolder, spawnServer } from '../../testing/spawn-server.ts';
import { readSettings } from '../settings/read-settings.ts';

/** A database that nothing answers for: a start that asks it first ends with 1. */
const NO_DATABASE = 'postgres://user:secret@127.0.0.1:1/x';

test('why a secret file cannot be used is said in one line, which repeats no secret', async () => {
  await using folder = await makeDataFolder();
  for (const { settings, line } of await brokenSecretFiles(folder.path, NO_DATABASE)) {
    expect(await readSettings(settings)).toEqual({ ok: false, error: [line] });
    expect(line).not.toContain(SECRET);
  }
});

test('a server prints these lines, exits with 2, and starts nothing', async () => {
  await using folder = await makeDataFolder();
  const [first, ...others] = await brokenSecretFiles(folder.path, NO_DATABASE);
  for (const each of [first, others.at(-2)]) {
    await using server = spawnServer(each?.settings ?? {});
    const said = `Gatehouse cannot start: ${each?.line}\n`;
    expect([await server.ended, server.errors(), server.out()]).toEqual([2, said, '']);
  }
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a server names the user who may not read a secret file',
  async () => {
    await using folder = await makeDataFolder();
    await chmod(folder.path, 0o700);
    const user = { uid: 54_321, name: '54321' };
    for (const { settings, line } of await unreadableSecretFiles(folder.path, NO_DATABASE, user)) {
      await using server = spawnServer(settings, { uid: user.uid, gid: user.uid });
      expect([await server.ended, server.errors()]).toEqual([2, `Gatehouse cannot start: ${line}\n`]);
    }
  },
);
