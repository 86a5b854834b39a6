import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';
import { describe, expect, it } from 'vitest';
import { exists } from '../../testing/data-folder.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { makeDataFolder, makeServedDataFolder, spawnServer } from '../../testing/spawn-server.ts';

/** A database that nothing answers for: a start that asks it first ends with 1. */
const DATABASE_URL = 'postgres://user:secret@127.0.0.1:1/x';

async function keyFile(folder: string, mode: number, text = createMasterKey()): Promise<string> {
  const file = join(folder, `key-${mode.toString(8)}-${text.length}`);
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

describe('a master key that cannot be used', () => {
  it('is wrong usage, reported before the database is asked', async () => {
    await using folder = await makeDataFolder();
    const file = await keyFile(folder.path, 0o600);
    const damaged = await keyFile(folder.path, 0o600, 'secret-word');
    for (const [given, line] of [
      [{}, /cannot start: a master key is required when DATABASE_URL is set/],
      [
        { GATEHOUSE_MASTER_KEY: createMasterKey(), GATEHOUSE_MASTER_KEY_FILE: file },
        /are both set: set one of them/,
      ],
      [{ GATEHOUSE_MASTER_KEY_FILE: `${file}.none` }, /GATEHOUSE_MASTER_KEY_FILE: .*none cannot be read/],
      [{ GATEHOUSE_MASTER_KEY_FILE: damaged }, /GATEHOUSE_MASTER_KEY_FILE: .* contains no master key/],
    ] as const) {
      await expectRefusal(spawnServer({ DATABASE_URL, ...given }), 2, line);
    }
  });

  it('is reported together with all wrong settings', async () => {
    const server = spawnServer({ DATABASE_URL, PORT: 'x', GATEHOUSE_MASTER_KEY_FILE: '/none/key' });
    expect(await server.ended).toBe(2);
    expect(server.errors().split('\n').slice(0, -1)).toEqual([
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535',
      'Gatehouse cannot start: GATEHOUSE_MASTER_KEY_FILE: /none/key cannot be read: no such file or directory',
    ]);
  });

  it('is one that other users can read or change, and the message names the command that fixes it', async () => {
    await using folder = await makeDataFolder();
    for (const mode of [0o644, 0o640, 0o604, 0o602, 0o660]) {
      const file = await keyFile(folder.path, mode);
      const server = spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY_FILE: file });
      if (mode === 0o640 && process.getuid?.() === 0) await expectRefusal(server, 1, /cannot be reached/);
      else await expectRefusal(server, 2, new RegExp(`\`chmod 600 ${file}\``));
    }
  });
});

describe('a data folder', () => {
  it('whose master key was lost is wrong usage, and gets no new one', async () => {
    await using folder = await makeServedDataFolder();
    const settings = { GATEHOUSE_DATA_DIR: folder.path };
    await rename(join(folder.path, 'master.key'), join(folder.path, 'lost'));
    await expectRefusal(spawnServer(settings), 2, /master\.key cannot be read: no such file or directory/);
    expect(await exists(join(folder.path, 'master.key'))).toBe(false);
    await rename(join(folder.path, 'lost'), join(folder.path, 'master.key'));
    await using again = spawnServer(settings);
    await again.serving();
  });

  it.each(['master.key', 'demo.json'])('whose %s other users can read is refused', async (name) => {
    await using folder = await makeDataFolder();
    const path = join(folder.path, name);
    await writeFile(path, createMasterKey());
    for (const mode of [0o644, 0o640]) {
      await chmod(path, mode);
      const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
      await expectRefusal(server, 2, new RegExp(`\`chmod 600 ${path}\``));
    }
  });

  it.each(['777', '775', '757', '1777'])(
    'of mode %s is refused: other users can write in it',
    async (mode) => {
      await using folder = await makeDataFolder();
      await chmod(folder.path, Number.parseInt(mode, 8));
      const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
      await expectRefusal(server, 2, new RegExp(`\`chmod go-w ${folder.path}\``));
    },
  );
});
